'use strict';

// What VS Code gives to a command, by the menu that the user has chosen it from.

const { contributes } = require('../../../package.json');
const { desk } = require('./desk');
const { Uri } = require('./types');

const uriOf = ({ input }) => input.uri ?? input.modified;

/** The selected rows, if there are several. */
const several = () => {
  const [{ view }] = Object.values(desk.views);
  return view.selection.length > 1 ? view.selection : undefined;
};

/** For each menu, its context keys, and the arguments of its commands. */
const MENUS = {
  commandPalette: () => [{}],
  'view/title': () => [{ view: 'todo.screen' }, desk.cursor, several()],
  'view/item/context': (row) => {
    const isSelected = several()?.some(({ id }) => id === row.id);
    return [{ view: 'todo.screen', viewItem: row.contextValue }, row, isSelected ? several() : undefined];
  },
  'editor/title': () => {
    const uri = Uri.from(uriOf(desk.active));
    return [{ resourceScheme: uri.scheme }, uri, { groupId: 0 }];
  },
};

/** Whether a `when` clause holds, where `here` are the context keys that VS Code sets. */
function holds(when = '', here = {}) {
  const keys = { ...desk.contexts, ...here };
  return when.split(' && ').filter(Boolean).every((clause) => {
    const [, not, name, operator, value] = /^(!?)([\w.]+)(?: (==|=~) [/']?(.*?)[/']?)?$/.exec(clause);
    const isTrue = { '==': () => keys[name] === value, '=~': () => new RegExp(value).test(keys[name]) };
    return (isTrue[operator]?.() ?? Boolean(keys[name])) === !not;
  });
}

/** The arguments of a command that is chosen from a menu; undefined if the menu does not show it. */
function argumentsIn(menu, command, row) {
  const [here, ...args] = MENUS[menu](row);
  const items = contributes.menus[menu].filter((item) => item.command === command);
  const isShown = items.some(({ when }) => holds(when, here)) || (menu === 'commandPalette' && !items.length);
  return isShown ? args : undefined;
}

module.exports = { argumentsIn, holds };
