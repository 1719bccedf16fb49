'use strict';

const vscode = require('vscode');
const { plain } = require('./text');

// The documents of forms, and their tabs, as VS Code has them.

const SCHEME = 'todo'; // of their addresses
const LANGUAGE = 'todo-form'; // its settings in package.json turn off what saves or changes a text

const isOurs = ({ scheme }) => scheme === SCHEME;

const tabs = () => vscode.window.tabGroups.all.flatMap((group) => group.tabs);

/** The URIs of a tab: one, or the sides of a diff. */
const urisOf = ({ input }) => [input?.uri, input?.original, input?.modified].filter(Boolean);

/** The tabs that show a document. */
const tabsOf = ({ uri }) => tabs().filter((tab) => urisOf(tab).some((one) => `${one}` === `${uri}`));

/** Closes the editors of a document, whether the user agrees: VS Code asks about unsaved text. */
const closeTabs = (doc) => vscode.window.tabGroups.close(tabsOf(doc));

/** A document as VS Code has it. */
const textOf = (doc) => vscode.workspace.textDocuments.find(({ uri }) => `${uri}` === `${doc.uri}`);

/** Sets the language of a form's document: its name, such as “Makefile”, or the user's associations have given it another. */
function setLanguage(document) {
  if (!isOurs(document.uri) || document.languageId === LANGUAGE) return;
  vscode.languages.setTextDocumentLanguage(document, LANGUAGE).then(undefined, () => {}); // it was closed meanwhile
}

/**
 * Edits a document while it is saved, and leaves its text the same: VS Code does not take newer edits for saved, so
 * the document stays unsaved. VS Code ignores an edit that replaces a text with itself, but not a deletion and an
 * insertion. Returns whether it was edited.
 */
async function touchText(doc) {
  const [sign = ''] = textOf(doc)?.getText() ?? '';
  if (!sign.trim()) return false;
  const edit = new vscode.WorkspaceEdit();
  edit.replace(doc.uri, new vscode.Range(0, 0, 0, 0), sign);
  edit.replace(doc.uri, new vscode.Range(0, 0, 0, sign.length), '');
  return vscode.workspace.applyEdit(edit);
}

/** The errors of fields, at the lines of a text that has them in `lines`. */
function problemsOf(fields, lines) {
  return fields.flatMap(({ name, error }) => {
    const index = Math.max(lines.findIndex((field) => field.name === name), 0);
    const line = index && index === lines.length - 1 ? index + 1 : index; // the last one is below a blank line
    const range = new vscode.Range(line, 0, line, Number.MAX_SAFE_INTEGER);
    return error ? [new vscode.Diagnostic(range, plain(error), vscode.DiagnosticSeverity.Error)] : [];
  });
}

/** Shows a document, or the first of several in diffs: with theirs, or with the other sides. */
async function showTexts([right, ...others], title, isOther) {
  if (right && !others.length) await vscode.window.showTextDocument(right.uri, { preview: false });
  for (const left of others.filter(({ side }) => (side !== 'theirs') === isOther)) {
    const [one, other] = [left, right].map(({ fields }) => plain(fields[0].label));
    const sides = `${plain(title)}: ${one} ↔ ${other}`;
    await vscode.commands.executeCommand('vscode.diff', left.uri, right.uri, sides, { preview: false });
  }
}

module.exports = {
  SCHEME, closeTabs, isOurs, problemsOf, setLanguage, showTexts, tabs, tabsOf, textOf, touchText, urisOf,
};
