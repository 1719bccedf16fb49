'use strict';

// The part of VS Code that the extension uses: documents with VS Code's rules for saving and line ends, tabs,
// dialogs that a test answers. It is a stub, and does not prove that the real one behaves the same. `desk` is the test's
// side of it.

const { answer, desk } = require('./desk');
const { createQuickPick, message, showInputBox } = require('./dialogs');
const { LANGUAGES, languageOf } = require('./languages');
const { argumentsIn, holds } = require('./menus');
const types = require('./types');
const { createTreeView } = require('./views');

const { Disposable, EventEmitter, FilePermission, Uri } = types;
const registered = desk.commands;
/** The delay until an extension gets an event of VS Code, which is another process. */
const REPLY_MS = 5;
const changedText = new EventEmitter();
const savedText = new EventEmitter();
const openedText = new EventEmitter();
const closedText = new EventEmitter();
const changedTabs = new EventEmitter();
const changedConfiguration = new EventEmitter();

// VS Code keeps one kind of line end in a document: the one that most lines have.
function oneLineEnd(text) {
  const ends = text.match(/\r\n|\r|\n/g) ?? [];
  const windows = ends.filter((end) => end === '\r\n').length;
  return text.replace(/\r\n|\r|\n/g, windows > ends.length / 2 ? '\r\n' : '\n');
}

function find(uri) {
  return desk.documents.find((document) => document.uri.toString() === uri.toString());
}

function load(uri) {
  const known = find(uri);
  if (known) return known;
  const document = { uri, isDirty: false, version: 0, place: -1, getText: () => document.text, save: () => saveAsUser(document) };
  desk.documents.push(document);
  const { text, ...file } = contentsOf(uri);
  change(document, text);
  settle(document, file);
  document.languageId = languageOf(uri);
  openedText.fire(document);
  return document;
}

/** To an extension, a document with another language is closed and opened again. */
function turnInto(document, languageId) {
  if (document.languageId === languageId) return;
  closedText.fire(document);
  document.languageId = languageId;
  openedText.fire(document);
}

function contentsOf(uri) {
  const { mtime, size } = desk.provider.stat(uri);
  return { mtime, size, text: oneLineEnd(desk.provider.readFile(uri).toString()) };
}

/** Gives a document another text, which undo takes back: also one that was read from the file. */
function change(document, text) {
  document.states = [...(document.states ?? []).slice(0, document.place + 1), { text }];
  turnTo(document, document.place + 1);
}

/** Turns a document to one of its states. It is unsaved in all but one. */
function turnTo(document, place) {
  const state = document.states[place];
  Object.assign(document, { place, text: state.text, isDirty: state !== document.saved, version: document.version + 1 });
}

/** The document is the same as its file. */
const settle = (document, file) => Object.assign(document, file, { saved: document.states[document.place], isDirty: false });

/** Adopts the file's contents; fires an event with changes only if they differ. */
function reload(document, { text, ...file } = contentsOf(document.uri)) {
  const isOther = text !== document.text;
  if (isOther) change(document, text);
  settle(document, file);
  changedText.fire({ document, contentChanges: isOther ? [text] : [] });
}

/** The same, unless the user types while VS Code reads: then it drops what it has read. */
async function readAnew(document) {
  const { text } = document;
  const contents = contentsOf(document.uri);
  await new Promise((resolve) => setTimeout(resolve, REPLY_MS));
  if (!document.isDirty && document.text === text) reload(document, contents);
}

/** The provider's status of a file. VS Code treats any failure as a missing file, and creates its folders. */
function statToWrite(uri) {
  try {
    return desk.provider.stat(uri);
  } catch {
    const folder = Uri.from({ ...uri, path: uri.path.slice(0, uri.path.lastIndexOf('/')) });
    try {
      return desk.provider.stat(folder) && {};
    } catch (error) {
      if (!error.isNotFound) throw error;
      desk.provider.createDirectory(folder);
      return {};
    }
  }
}

/** A failed save is shown by VS Code itself. A document with newer edits is not saved. */
async function saveAsUser(document) {
  if (!document.isDirty) return true;
  const failure = await desk.save(document).catch((error) => error);
  if (failure) desk.shown.push(['error', `Failed to save: ${failure.message}`]);
  return !document.isDirty;
}

function open(input) {
  const key = (tab) => [tab.input.uri, tab.input.original, tab.input.modified].join();
  const tab = { input };
  const same = desk.tabs.find((other) => key(other) === key(tab));
  if (!same) desk.tabs.push(tab);
  desk.active = same ?? tab;
}

const isShown = ({ uri }) => desk.tabs.some((tab) => Object.values(tab.input).some((one) => `${one}` === `${uri}`));

function close(tabs) {
  for (const tab of tabs) if (!desk.tabs.includes(tab)) throw new Error('Tab close: Invalid tab could not be found!');
  desk.tabs = desk.tabs.filter((tab) => !tabs.includes(tab));
  const closed = desk.documents.filter((document) => !document.isDirty && !isShown(document));
  desk.documents = desk.documents.filter((document) => !closed.includes(document));
  closed.forEach(closedText.fire);
  if (tabs.length) setImmediate(() => changedTabs.fire({ closed: tabs, opened: [], changed: [] })); // VS Code tells later
}

/** Closing the last tab of unsaved text asks: 'Save', "Don't Save", or nothing to leave it open. */
async function closeAsUser(tabs) {
  for (const document of desk.documents.filter((one) => one.isDirty)) {
    const own = tabs.filter((tab) => Object.values(tab.input).some((one) => `${one}` === `${document.uri}`));
    if (!own.length) continue;
    const text = `Do you want to save the changes you made to ${document.uri.path}?`;
    const choice = await answer({ kind: 'close', text });
    if (choice === "Don't Save") reload(document);
    else if (choice !== 'Save' || !(await saveAsUser(document))) return false;
  }
  close(tabs);
  return true;
}

desk.type = (document, text) => {
  const { permissions } = desk.provider.stat(document.uri);
  if (permissions & FilePermission.Readonly) throw new Error('Cannot edit in read-only editor');
  change(document, text);
  changedText.fire({ document, contentChanges: [text] });
};
/** Reverts the last change of a text, or applies it again. */
const step = (way, reason) => (document) => {
  turnTo(document, document.place + way);
  changedText.fire({ document, contentChanges: [document.text], reason });
};
desk.undo = step(-1, 1);
desk.redo = step(1, 2);
desk.save = async (document) => {
  const { mtime, size } = statToWrite(document.uri);
  // VS Code takes a newer file of the same size for the same.
  if (mtime > document.mtime && size !== document.size) throw new Error('The content of the file is newer.');
  const { text, version } = document;
  const state = document.states[document.place];
  await desk.provider.writeFile(document.uri, Buffer.from(text), { create: false, overwrite: true });
  await new Promise((resolve) => setTimeout(resolve, REPLY_MS));
  document.saved = state;
  Object.assign(document, desk.provider.stat(document.uri));
  if (version === document.version) { // else there are newer edits, which are not saved
    document.isDirty = false;
    changedText.fire({ document, contentChanges: [] });
  }
  savedText.fire(document);
};
Object.assign(desk, { argumentsIn, holds });
desk.configure = (name, value) => {
  desk.configuration[name] = value;
  // A language that an extension has set stays.
  for (const document of desk.documents.filter(({ isSet }) => !isSet)) turnInto(document, languageOf(document.uri));
  changedConfiguration.fire();
};
desk.revert = reload;
/** The state after a reload of the window: the tabs, and unsaved text, which VS Code may have read when the extension starts. */
desk.reload = (isRead) => {
  desk.documents = desk.documents.filter((document) => document.isDirty);
  for (const document of desk.documents) Object.assign(document, { isSet: false, languageId: languageOf(document.uri) });
  for (const tab of desk.tabs) tab.isDirty = isRead && desk.documents.some(({ uri }) => `${uri}` === `${tab.input.uri}`);
};
desk.closeTabs = (document) => closeAsUser(desk.tabs.filter((tab) => `${tab.input.uri}` === `${document.uri}`));

const builtIn = {
  setContext: (name, value) => (desk.contexts[name] = value),
  'vscode.diff': (original, modified, title) => {
    [original, modified].forEach(load);
    desk.diffs.push(title);
    open({ original, modified });
  },
  'todo.screen.focus': () => desk.focused.push('todo.screen'),
  'list.toggleExpand': () => (desk.cursor.collapsibleState = 3 - desk.cursor.collapsibleState),
  /** Adds the row with the cursor to the selection, also of a tree in which only one is selected, or removes it. */
  'list.toggleSelection': () => {
    const [{ view }] = Object.values(desk.views);
    const others = view.selection.filter(({ id }) => id !== desk.cursor?.id);
    const isSelected = others.length < view.selection.length;
    if (desk.cursor) view.selection = isSelected ? others : [...others, desk.cursor];
  },
};

const commands = {
  registerCommand: (name, run) => {
    if (registered.has(name)) throw new Error(`command '${name}' already exists`);
    registered.set(name, run);
    return new Disposable(() => registered.delete(name));
  },
  executeCommand: async (name, ...args) => {
    const run = builtIn[name] ?? registered.get(name);
    if (!run) throw new Error(`command '${name}' not found`);
    return run(...args);
  },
};

const window = {
  createOutputChannel: () => {
    const append = (text) => (desk.log += text);
    const show = () => desk.shown.push(['log', desk.log]);
    return { append, appendLine: (text) => append(`${text}\n`), show, dispose() {} };
  },
  createStatusBarItem: () => (desk.statusBar = { show() {}, dispose() {} }),
  createTreeView,
  registerFileDecorationProvider: (provider) => {
    desk.decorations = provider;
    return new Disposable(() => (desk.decorations = null));
  },
  showInputBox,
  createQuickPick,
  withProgress: async ({ title }, task) => {
    desk.progress.push(title);
    desk.inProgress = title;
    return task().finally(() => (desk.inProgress = undefined));
  },
  showQuickPick: (items, options) => answer({ kind: 'pick', items, ...options }),
  showErrorMessage: message('error'),
  showWarningMessage: message('warning'),
  showInformationMessage: message('info'),
  showTextDocument: async (uri) => {
    const document = load(uri);
    open({ uri });
    return { document };
  },
  tabGroups: {
    get all() {
      return [{ tabs: desk.tabs }];
    },
    close: closeAsUser,
    onDidChangeTabs: changedTabs.event,
  },
};

/** Edits of the first line, which may touch each other. VS Code ignores one that replaces a text with itself. */
async function applyEdit({ edits }) {
  const changes = edits.map(({ uri, range: { start, end }, text }) => ({ document: find(uri), start: start.character, end: end.character, text }));
  const real = changes.filter(({ document, start, end, text }) => document.text.slice(start, end) !== text);
  for (const { document, start, end, text } of real.sort((one, other) => other.end - one.end)) {
    desk.type(document, document.text.slice(0, start) + text + document.text.slice(end));
  }
  return true;
}

const workspace = {
  applyEdit,
  getConfiguration: (section) => ({ get: (name) => desk.configuration[`${section}.${name}`] }),
  onDidChangeConfiguration: changedConfiguration.event,
  onDidChangeTextDocument: changedText.event,
  onDidOpenTextDocument: openedText.event,
  onDidCloseTextDocument: closedText.event,
  onDidSaveTextDocument: savedText.event,
  registerFileSystemProvider: (scheme, provider) => {
    const required = ['watch', 'stat', 'readDirectory', 'createDirectory', 'readFile', 'writeFile', 'delete', 'rename'];
    for (const name of required) if (typeof provider[name] !== 'function') throw new Error(`no ${name}`);
    desk.provider = provider;
    // VS Code looks at the files later, and reads those without unsaved text again.
    return provider.onDidChangeFile((changes) => setImmediate(() => {
      for (const document of changes.flatMap(({ uri }) => find(uri) ?? [])) {
        if (!document.isDirty && document.mtime !== provider.stat(document.uri).mtime) readAnew(document);
      }
    }));
  },
  get textDocuments() {
    return desk.documents;
  },
};

const languages = {
  setTextDocumentLanguage: async (document, id) => {
    if (!LANGUAGES.some((one) => one.id === id)) throw new Error(`Unknown language id: ${id}`);
    await new Promise((resolve) => setTimeout(resolve, REPLY_MS));
    if (!find(document.uri)) throw new Error(`document '${document.uri}' NOT found`);
    document.isSet = true;
    turnInto(document, id);
    return document;
  },
  createDiagnosticCollection: () => ({
    set: (uri, list) => desk.diagnostics.set(`${uri}`, list),
    delete: (uri) => desk.diagnostics.delete(`${uri}`),
    dispose() {},
  }),
};

const env = { openExternal: async (uri) => desk.opened.push(`${uri}`) };

module.exports = { ...types, commands, env, languages, window, workspace, desk };
