'use strict';

// As much of VS Code as the extension uses: documents with VS Code's rules for saving and line ends, tabs,
// dialogs that a test answers. It is a stub, no proof that the real one agrees. `desk` is the test's side of it.

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
  toString = () => `${this.scheme}:${encodeURI(this.path)}`;
}

class Disposable {
  constructor(dispose) {
    this.dispose = dispose;
  }
}

class FileSystemError extends Error {
  static Unavailable = (message) => new FileSystemError(message);
  static FileNotFound = (uri) => new FileSystemError(`not found: ${uri}`);
  static NoPermissions = () => new FileSystemError('no permissions');
}

class Named {
  constructor(id) {
    this.id = id;
  }
}

class TreeItem {
  constructor(label) {
    this.label = label;
  }
}

class Range {
  constructor(startLine, startCharacter, endLine, endCharacter) {
    Object.assign(this, { startLine, startCharacter, endLine, endCharacter });
  }
}

class Diagnostic {
  constructor(range, message, severity) {
    Object.assign(this, { range, message, severity });
  }
}

const registered = new Map();
const changedText = new EventEmitter();
const changedTabs = new EventEmitter();
const desk = {
  commands: registered,
  configuration: {},
  contexts: {},
  views: {},
  statusBar: null,
  log: '',
  /** What was shown, as [kind, text]. */
  shown: [],
  /** What the user answers next: (question) => answer, the same way for input boxes, picks and buttons. */
  answers: [],
  /** Every state of progress that was shown in a view. */
  progress: [],
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
  const document = { uri, isDirty: false, getText: () => document.text };
  desk.documents.push(document);
  read(document);
  return document;
}

function read(document) {
  document.mtime = desk.provider.stat(document.uri).mtime;
  document.text = oneLineEnd(desk.provider.readFile(document.uri).toString());
}

function open(input) {
  const key = (tab) => [tab.input.uri, tab.input.original, tab.input.modified].join();
  const tab = { input };
  const same = desk.tabs.find((other) => key(other) === key(tab));
  if (!same) desk.tabs.push(tab);
  desk.active = same ?? tab;
}

function close(tabs) {
  desk.tabs = desk.tabs.filter((tab) => !tabs.includes(tab));
  const isShown = ({ uri }) => desk.tabs.some((tab) => Object.values(tab.input).some((one) => `${one}` === `${uri}`));
  desk.documents = desk.documents.filter((document) => document.isDirty || isShown(document));
  if (tabs.length) changedTabs.fire({ closed: tabs, opened: [], changed: [] });
}

desk.type = (document, text) => {
  Object.assign(document, { text, isDirty: true });
  changedText.fire({ document });
};
desk.save = async (document) => {
  if (desk.provider.stat(document.uri).mtime > document.mtime) throw new Error('The content of the file is newer.');
  await desk.provider.writeFile(document.uri, Buffer.from(document.text), {});
  document.isDirty = false;
  document.mtime = desk.provider.stat(document.uri).mtime;
};
desk.revert = (document) => {
  read(document);
  document.isDirty = false;
  changedText.fire({ document });
};
desk.closeTabs = (document) => close(desk.tabs.filter((tab) => `${tab.input.uri}` === `${document.uri}`));

const builtIn = {
  setContext: (name, value) => (desk.contexts[name] = value),
  'vscode.diff': (original, modified, title) => {
    [original, modified].forEach(load);
    desk.diffs.push(title);
    open({ original, modified });
  },
  'workbench.action.revertAndCloseActiveEditor': () => {
    desk.revert(find(desk.active.input.uri));
    close([desk.active]);
  },
  'todo.screen.focus': () => {},
};

const commands = {
  registerCommand: (name, run) => {
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
  return buttons.length ? answer({ kind, text, buttons }) : Promise.resolve();
};

async function showInputBox(options) {
  const problem = await options.validateInput?.(options.value ?? '');
  const text = await answer({ kind: 'input', problem, ...options });
  if (text !== undefined) desk.problem = await options.validateInput?.(text);
  return text;
}

function register(id, provider, view = {}) {
  desk.views[id] = { provider, view };
  return Object.assign(view, { dispose: () => delete desk.views[id] });
}

const window = {
  createOutputChannel: () => {
    const append = (text) => (desk.log += text);
    const show = () => desk.shown.push(['log', desk.log]);
    return { append, appendLine: (text) => append(`${text}\n`), show, dispose() {} };
  },
  createStatusBarItem: () => (desk.statusBar = { show() {}, dispose() {} }),
  createTreeView: (id, { treeDataProvider }) => register(id, treeDataProvider, { selection: [] }),
  registerTreeDataProvider: register,
  showInputBox,
  showQuickPick: (items, options) => answer({ kind: 'pick', items, ...options }),
  showErrorMessage: message('error'),
  showWarningMessage: message('warning'),
  showInformationMessage: message('info'),
  showTextDocument: async (uri) => {
    const document = load(uri);
    open({ uri });
    return { document };
  },
  withProgress: (options, task) => {
    desk.progress.push('begin');
    return task().then(() => desk.progress.push('end'));
  },
  tabGroups: {
    get all() {
      return [{ tabs: desk.tabs }];
    },
    close: async (tabs) => close(tabs),
    onDidChangeTabs: changedTabs.event,
  },
};

const workspace = {
  getConfiguration: (section) => ({ get: (name) => desk.configuration[`${section}.${name}`] }),
  onDidChangeTextDocument: changedText.event,
  registerFileSystemProvider: (scheme, provider) => {
    desk.provider = provider;
    return provider.onDidChangeFile((changes) => {
      for (const { uri } of changes) {
        const document = find(uri);
        if (!document || document.isDirty || document.mtime === provider.stat(uri).mtime) continue;
        read(document);
        changedText.fire({ document });
      }
    });
  },
  get textDocuments() {
    return desk.documents;
  },
};

const languages = {
  createDiagnosticCollection: () => ({
    set: (uri, list) => desk.diagnostics.set(uri.path, list),
    delete: (uri) => desk.diagnostics.delete(uri.path),
    dispose() {},
  }),
};

module.exports = {
  EventEmitter, Uri, Disposable, FileSystemError, TreeItem, Range, Diagnostic,
  ThemeIcon: Named, ThemeColor: Named,
  DiagnosticSeverity: { Error: 0 }, FileChangeType: { Changed: 1 }, FileType: { File: 1 },
  InputBoxValidationSeverity: { Warning: 2 }, StatusBarAlignment: { Left: 1 },
  commands, languages, window, workspace, desk,
};
