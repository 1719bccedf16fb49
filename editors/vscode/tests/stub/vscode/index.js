'use strict';

// The part of VS Code that the extension uses: documents with VS Code's rules for saving and line ends, tabs,
// dialogs that a test answers. It is a stub, and does not prove that the real one behaves the same. `desk` is the test's
// side of it.

class EventEmitter {
  #listeners = new Set();
  event = (listener) => {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  };
  fire = (value) => [...this.#listeners].forEach((listener) => listener(value));
  dispose = () => this.#listeners.clear();
}

class Uri {
  static from = (parts) => Object.assign(new Uri(), parts);
  static parse = (text) => Object.assign(new Uri(), { scheme: text.split(':')[0], path: text.split(':').slice(1).join(':') });
  toString = () => `${this.scheme}:${encodeURI(this.path)}${this.query ? `?${encodeURIComponent(this.query)}` : ''}`;
}

class Disposable {
  constructor(dispose) {
    this.dispose = dispose;
  }
}

class FileSystemError extends Error {
  static Unavailable = (message) => new FileSystemError(message);
  static FileNotFound = (uri) => Object.assign(new FileSystemError(`not found: ${uri}`), { isNotFound: true });
}

class Named {
  constructor(id, color) {
    Object.assign(this, { id, color });
  }
}

class TreeItem {
  constructor(label, collapsibleState = 0) {
    Object.assign(this, { label, collapsibleState });
  }
}

class Range {
  constructor(startLine, startCharacter, endLine, endCharacter) {
    this.start = { line: startLine, character: startCharacter };
    this.end = { line: endLine, character: endCharacter };
  }
}

class WorkspaceEdit {
  edits = [];
  replace = (uri, range, text) => this.edits.push({ uri, range, text });
}

class Diagnostic {
  constructor(range, message, severity) {
    Object.assign(this, { range, message, severity });
  }
}

const FilePermission = { Readonly: 1 };
const InputBoxValidationSeverity = { Info: 1, Warning: 2, Error: 3 };

const registered = new Map();
/** The delay until an extension gets an event of VS Code, which is another process. */
const REPLY_MS = 5;
const changedText = new EventEmitter();
const savedText = new EventEmitter();
const changedTabs = new EventEmitter();
const changedConfiguration = new EventEmitter();
const desk = {
  commands: registered,
  configuration: { 'todo.list.foldDone': true },
  contexts: {},
  views: {},
  statusBar: null,
  log: '',
  /** The row with the focus, which VS Code does not tell an extension. */
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
  documents: [],
  diagnostics: new Map(),
  diffs: [],
  provider: null,
  tabs: [],
};

async function answer(question) {
  const next = desk.answers.shift();
  return next ? next(question) : undefined;
}

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
  return document;
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
  desk.documents = desk.documents.filter((document) => document.isDirty || isShown(document));
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
desk.configure = (name, value) => {
  desk.configuration[name] = value;
  changedConfiguration.fire();
};
desk.revert = reload;
/** The state after a reload of the window: the tabs, and unsaved text, which VS Code may have read when the extension starts. */
desk.reload = (isRead) => {
  desk.documents = desk.documents.filter((document) => document.isDirty);
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

function createTreeView(id, { treeDataProvider: provider }) {
  const ticked = new EventEmitter();
  const view = {
    selection: [],
    visible: true,
    dispose: () => delete desk.views[id],
    onDidChangeCheckboxState: ticked.event,
    set description(text) {
      throw new Error(`“${text}” is not seen: the header of the only view of a container is that of the container`);
    },
  };
  // A box that was ticked stays so until the rows are drawn again.
  const boxes = new Map();
  provider.onDidChangeTreeData(() => boxes.clear());
  const rows = async () => {
    const below = async (parent) => {
      const items = await Promise.all((await provider.getChildren(parent)).map((node) => provider.getTreeItem(node)));
      for (const item of items) if (provider.getParent(item) !== parent) throw new Error('a row with another parent');
      return (await Promise.all(items.map(async (item) => [item, ...(item.collapsibleState ? await below(item) : [])]))).flat();
    };
    const items = await below();
    for (const item of items) if (boxes.has(item.id)) item.checkboxState.state = boxes.get(item.id);
    const ids = items.flatMap((item) => item.id ?? []);
    if (new Set(ids).size < ids.length) throw new Error('Element with this id is already registered');
    return items;
  };
  view.reveal = async (row, { select, focus }) => {
    view.visible = true;
    if (!provider.getParent) throw new Error("Required registered TreeDataProvider to implement 'getParent' method");
    if (select) view.selection = [row];
    if (focus) desk.cursor = row;
  };
  const tick = (row) => {
    boxes.set(row.id, row.checkboxState.state ? 0 : 1);
    ticked.fire({ items: [[row, boxes.get(row.id)]] });
  };
  desk.views[id] = { provider, view, rows, tick };
  return view;
}

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
  createDiagnosticCollection: () => ({
    set: (uri, list) => desk.diagnostics.set(`${uri}`, list),
    delete: (uri) => desk.diagnostics.delete(`${uri}`),
    dispose() {},
  }),
};

const env = { openExternal: async (uri) => desk.opened.push(`${uri}`) };

module.exports = {
  FilePermission, InputBoxValidationSeverity,
  EventEmitter, Uri, Disposable, FileSystemError, TreeItem, Range, WorkspaceEdit, Diagnostic,
  ThemeIcon: Named, ThemeColor: Named,
  DiagnosticSeverity: { Error: 0 }, FileChangeType: { Changed: 1 }, FileType: { File: 1 },
  StatusBarAlignment: { Left: 1 }, TreeItemCheckboxState: { Unchecked: 0, Checked: 1 },
  TreeItemCollapsibleState: { None: 0, Collapsed: 1, Expanded: 2 }, ProgressLocation: { Notification: 15 },
  commands, env, languages, window, workspace, desk,
};
