'use strict';

// Screens of the server: their layout, their actions, and the identity of a form.

/** The layout of a form that is edited as text: `text` or `compare`; undefined for other forms. */
const layoutOf = (screen) => screen?.body?.layout;

/** The fields of a screen that are edited as text: a list for each document. */
function documentsOf(screen) {
  const { fields = [] } = screen?.body ?? {};
  if (layoutOf(screen) === 'compare') return fields.map((field) => [field]);
  if (layoutOf(screen) !== 'text') return [];
  return [[...fields.filter((field) => !field.multiline), ...fields.filter((field) => field.multiline)]];
}

/** The screen to draw as rows: a form that is edited as text leaves the list below it in sight. */
function shownScreen({ stack, front }) {
  const below = stack.at(-2);
  return layoutOf(front) && below?.body?.kind === 'list' ? below : front;
}

/** The action of a screen that Enter does. */
const primaryOf = ({ actions }, scope) => actions.find((action) => action.primary && action.scope === scope);

/** The list in front, or below the form in front. */
const listOf = ({ stack, front }) => encodeURIComponent((layoutOf(front) ? stack.at(-2) : front)?.id ?? '');

/** The identity of the form in front, with that of its list: a todo of another user may have the same. */
const formOf = (session) => `${listOf(session)},${encodeURIComponent(session.front?.id ?? '')}`;

/** Whether the list of a document is shown. */
const isIn = (session, { id }) => id.startsWith(`${listOf(session)},`);

const roleOf = (actions, ...roles) => actions.find(({ role }) => roles.includes(role));

/** The action that stores the text of a form. */
const saveOf = ({ actions }) => roleOf(actions, 'save', 'merge');

module.exports = { documentsOf, formOf, isIn, layoutOf, primaryOf, roleOf, saveOf, shownScreen };
