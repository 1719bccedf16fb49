'use strict';

// Messages and questions, which a test answers.

const { answer, desk } = require('./desk');
const { EventEmitter, InputBoxValidationSeverity } = require('./types');

const message = (kind) => (text, ...rest) => {
  desk.shown.push([kind, text]);
  const buttons = rest.filter((button) => typeof button === 'string');
  return buttons.length ? answer({ kind, text, detail: rest[0].detail, buttons }) : Promise.resolve();
};

/** The box is validated when it opens and when it is accepted, and an error, other than a warning, keeps it open. */
async function showInputBox(options) {
  let problem = await options.validateInput?.(options.value ?? '');
  for (;;) {
    const text = await answer({ kind: 'input', problem, ...options });
    if (text === undefined) return undefined;
    problem = await options.validateInput?.(text);
    desk.problem = problem;
    const { Error: worst } = InputBoxValidationSeverity;
    if (!problem || (problem.severity ?? worst) < worst) return text;
  }
}

/** A string is typed and entered with the first row; `{ text, choose }` is typed, and the row with that label entered. */
function createQuickPick() {
  const [typed, accepted, hidden] = [new EventEmitter(), new EventEmitter(), new EventEmitter()];
  let isOpen = true;
  const pick = { onDidChangeValue: typed.event, onDidAccept: accepted.event, onDidHide: hidden.event };
  pick.dispose = () => (isOpen = false);
  pick.hide = () => {
    isOpen = false;
    hidden.fire();
  };
  pick.show = async () => {
    while (isOpen) {
      const { title, placeholder: prompt, value } = pick;
      const said = await answer({ kind: 'input', title, prompt, value, choices: pick.items.map(({ label }) => label) });
      if (said === undefined) return pick.hide();
      const { text = said, choose } = Object(said);
      if (typeof text === 'string') typed.fire((pick.value = text));
      pick.activeItems = [pick.items.find(({ label }) => label === choose) ?? pick.items[0]];
      accepted.fire();
    }
  };
  return pick;
}

module.exports = { createQuickPick, message, showInputBox };
