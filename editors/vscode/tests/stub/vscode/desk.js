'use strict';

// The test's side of the stub: what VS Code shows and stores, and the answers of the user.

const desk = {
  commands: new Map(),
  configuration: { 'todo.list.foldDone': true },
  contexts: {},
  views: {},
  statusBar: null,
  log: '',
  /** The row with the focus, which VS Code tells an extension only in the arguments of a menu. */
  cursor: undefined,
  /** The shown messages, as [kind, text]. */
  shown: [],
  /** Every view that was given the focus. */
  focused: [],
  /** The titles of all progress that was shown, and of that which is shown now. */
  progress: [],
  inProgress: undefined,
  /** Every address that was opened outside. */
  opened: [],
  decorations: null,
  /** The user's next answers: functions (question) => answer, for input boxes, picks and buttons. */
  answers: [],
  /** The questions about unsaved text that no test expects. */
  unanswered: [],
  documents: [],
  diagnostics: new Map(),
  diffs: [],
  provider: null,
  tabs: [],
};

async function answer(question) {
  const next = desk.answers.shift();
  if (!next && question.kind === 'close') desk.unanswered.push(question.text);
  return next ? next(question) : undefined;
}

module.exports = { answer, desk };
