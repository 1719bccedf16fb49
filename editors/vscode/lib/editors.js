'use strict';

const vscode = require('vscode');

// What VS Code knows about open editors. A document is anything with a `uri`.

const openTabs = () => vscode.window.tabGroups.all.flatMap((group) => group.tabs);

/** Whether a tab shows a document, alone or as a side of a diff. */
function shows({ input }, { uri }) {
  return [input?.uri, input?.original, input?.modified].some((one) => one?.toString() === uri.toString());
}

const isShown = (doc) => openTabs().some((tab) => shows(tab, doc));

/** The text of a document as it is being edited. */
function textOf({ uri }) {
  return vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
}

const isDirty = (doc) => textOf(doc)?.isDirty ?? false;

/** Shows documents that belong together: one as text, several as diffs beside each other. */
async function show(title, [first, second, ...others]) {
  if (!second) return void (await vscode.window.showTextDocument(first.uri, { preview: false }));
  // The right side of a diff is the one that can be typed into: of three texts the middle one, as in a merge.
  for (const [column, left] of [...others, first].entries()) {
    const sides = `${title}: ${left.fields[0].label} ↔ ${second.fields[0].label}`;
    const options = { preview: false, viewColumn: column + 1 };
    await vscode.commands.executeCommand('vscode.diff', left.uri, second.uri, sides, options);
  }
}

/** Closes all editors of a document; its unsaved text is given up. */
async function close(doc) {
  if (isDirty(doc)) {
    await vscode.window.showTextDocument(doc.uri, { preview: false });
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  }
  await vscode.window.tabGroups.close(openTabs().filter((tab) => shows(tab, doc)));
}

module.exports = { close, isDirty, isShown, show, shows, textOf };
