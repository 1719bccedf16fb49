'use strict';

// The values of VS Code's interface.

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

module.exports = {
  FilePermission, InputBoxValidationSeverity,
  EventEmitter, Uri, Disposable, FileSystemError, TreeItem, Range, WorkspaceEdit, Diagnostic,
  ThemeIcon: Named, ThemeColor: Named,
  DiagnosticSeverity: { Error: 0 }, FileChangeType: { Changed: 1 }, FileType: { File: 1 },
  StatusBarAlignment: { Left: 1 }, TreeItemCheckboxState: { Unchecked: 0, Checked: 1 },
  TreeItemCollapsibleState: { None: 0, Collapsed: 1, Expanded: 2 }, ProgressLocation: { Notification: 15 },
};
