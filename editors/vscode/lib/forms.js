'use strict';

const vscode = require('vscode');
const { compose, documentsOf, problemOf, split } = require('./text');

const SCHEME = 'todo';
const FOLDER = '/todo-form'; // package.json gives files in it their language, which turns off what changes a text
const NAME_LENGTH = 60;
const SAVE_MS = 5000;
const TYPING_MS = 200;

/**
 * The forms with long texts, as files that live in the server: saving one presses the action at the right of the
 * bar, closing it the one at the left. A document belongs to a form by its `key`: which screen, opened by what.
 */
class Forms {
  #session;
  #report;
  #documents = new Map();
  #count = 0;
  #key = ''; // of the form in front
  #changed = new vscode.EventEmitter();
  #problems = vscode.languages.createDiagnosticCollection(SCHEME);
  onDidChangeFile = this.#changed.event;

  /** `report(error)` shows what went wrong with nobody waiting for it. */
  constructor(session, report) {
    this.#session = session;
    this.#report = report;
    this.subscriptions = [
      this.#changed,
      this.#problems,
      vscode.workspace.registerFileSystemProvider(SCHEME, this, { isCaseSensitive: true }),
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.#textChanged(document)),
      vscode.window.tabGroups.onDidChangeTabs(({ closed }) => closed.forEach((tab) => this.#tabClosed(tab))),
    ];
  }

  /** The documents of the form in front. */
  get front() {
    return [...this.#documents.values()].filter((doc) => doc.key === this.#key);
  }

  // What the server shows

  render() {
    const { state, front, opening } = this.#session;
    const parts = state === 'running' ? documentsOf(front) : [];
    const key = parts.length ? JSON.stringify([front.name, opening]) : '';
    const isNew = key !== this.#key;
    this.#key = key;
    for (const doc of this.#documents.values()) {
      if (state !== 'running') Object.assign(doc, { isOrphan: true, moved: undefined, told: [] });
      else if (doc.key !== key) this.#lost(doc);
    }
    const known = this.front;
    parts.forEach((fields, index) => this.#update(known[index] ?? this.#create(fields, index, parts), fields, isNew));
    if (isNew && !known.some((doc) => doc.isSaving)) this.show().catch(this.#report);
  }

  #create(fields, index, { length }) {
    const { front, opening, revision } = this.#session;
    const text = (fields.length > 1 && fields[0].value) || `${front.title} ${fields[0].label}`;
    const name = text.replace(/[\p{C}/\\?#]+/gu, ' ').slice(0, NAME_LENGTH).trim() || front.name;
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `${FOLDER}/${++this.#count}/${name}` });
    // Of three texts the middle one can be typed into, as in a merge: `show` puts it on the right side.
    const permissions = length > 1 && index !== 1 ? vscode.FilePermission.Readonly : undefined;
    const doc = { uri, name, permissions, key: this.#key, screen: front.name, mtime: 0, madeFrom: revision };
    Object.assign(doc, { opening: length > 1 ? {} : opening, told: [] });
    this.#documents.set(uri.path, doc);
    return doc;
  }

  /** Takes over what the server shows, unless that is what it was told from here. */
  #update(doc, fields, isNew) {
    const { revision } = this.#session;
    const base = compose(fields);
    const isTyped = Boolean(textOf(doc)?.isDirty);
    if (base !== doc.base && !doc.told.includes(base)) {
      Object.assign(doc, { base, fields, revision });
      // Text made from an older rendering the server tells apart; that from another server VS Code has to compare.
      if (isTyped && isNew) doc.madeFrom = undefined;
      if (!isTyped || isNew) this.#touch(doc);
    } else if (isNew) {
      Object.assign(doc, { revision, read: revision, madeFrom: revision });
    }
    doc.isOrphan = false;
    const diagnostics = fields.flatMap(({ error }, line) => {
      const range = new vscode.Range(line, 0, line, Number.MAX_SAFE_INTEGER);
      return error ? [new vscode.Diagnostic(range, error, vscode.DiagnosticSeverity.Error)] : [];
    });
    this.#problems.set(doc.uri, diagnostics);
  }

  #touch(doc) {
    doc.mtime = Math.max(Date.now(), doc.mtime + 1); // an editor with unsaved text compares it before it saves
    this.#changed.fire([{ type: vscode.FileChangeType.Changed, uri: doc.uri }]);
  }

  /** The form of a document is not in front: unsaved text stays, and what was shown by a server that has ended. */
  #lost(doc) {
    const isBelow = this.#session.stack.some(({ name }) => name === doc.screen);
    const text = textOf(doc);
    // After a conflict the text is part of another form, and settled with that.
    const isSettled = !this.#key && text?.getText() === doc.moved;
    if (isBelow || doc.isSaving || doc.isClosing || doc.isOrphan || (text?.isDirty && !isSettled)) return;
    this.#close(doc).catch(this.#report);
  }

  // Editors

  /** Shows the documents of the form in front, if it has any: one as text, several as diffs beside each other. */
  async show() {
    const [first, second, ...others] = this.front;
    if (first && !second) await vscode.window.showTextDocument(first.uri, { preview: false });
    for (const [column, left] of second ? [...others, first].entries() : []) {
      const sides = `${this.#session.front.title}: ${left.fields[0].label} ↔ ${second.fields[0].label}`;
      const options = { preview: false, viewColumn: column + 1 };
      await vscode.commands.executeCommand('vscode.diff', left.uri, second.uri, sides, options);
    }
  }

  /** Saves or leaves a form with unsaved text in VS Code's own way; whether the action was one of these. */
  async press(name) {
    const { left, right } = this.#session.front?.bar ?? {};
    const text = this.front.map(textOf).find((one) => one?.isDirty);
    if (text && name === right) return text.save().then(() => true);
    return text && name === left && this.front.length === 1 ? this.leave().then(() => true) : false;
  }

  /** Leaves the form in front, unless it has several texts, or the user wants to stay with what is unsaved. */
  async leave() {
    const [doc, other] = this.front;
    if (other || !(await closeTabs(doc))) return false;
    await (doc.leaving ??= this.#leave(doc)); // VS Code may have told of the closed tab already
    return true;
  }

  async #close(doc) {
    doc.isClosing = true;
    if (textOf(doc)?.isDirty) {
      await vscode.window.showTextDocument(doc.uri, { preview: false });
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    }
    await closeTabs(doc);
    this.#forget(doc);
  }

  #forget(doc) {
    this.#documents.delete(doc.uri.path);
    this.#problems.delete(doc.uri);
  }

  #tabClosed(tab) {
    for (const doc of this.#documents.values()) {
      // One side of a diff may be closed and shown again; that decides nothing.
      const isSide = doc.key === this.#key && this.front.length > 1;
      if (!doc.isClosing && !isSide && shows(tab, doc) && !tabsOf(doc).length) {
        (doc.leaving ??= this.#leave(doc)).catch(this.#report);
      }
    }
  }

  async #leave(doc) {
    doc.isClosing = true;
    await doc.staying;
    const { left } = this.#session.front?.bar ?? {};
    if (doc.key === this.#key && left) await this.#session.act(left);
    this.#forget(doc);
  }

  #textChanged(document) {
    const doc = document.uri.scheme === SCHEME && this.#documents.get(document.uri.path);
    if (!doc) return;
    if (!document.isDirty) doc.madeFrom = doc.read; // it was read anew, or saved
    clearTimeout(doc.timer);
    doc.timer = setTimeout(() => this.#tell(doc, document), TYPING_MS);
  }

  /** Tells the server what is typed: it says what is wrong with it, and from then on warns of changes elsewhere. */
  #tell(doc, document) {
    const values = split(document.getText(), doc.fields);
    const isKnown = (doc.told.at(-1) ?? doc.base) === asShown(doc, values);
    if (isKnown || doc.key !== this.#key || doc.isSaving || doc.isClosing) return;
    doc.told = [doc.told.at(-1), asShown(doc, values)]; // the answer to the one before may still be on its way
    this.#session.change(values, doc.madeFrom).catch(() => {}); // saving will say it again
  }

  // The file system

  watch = () => new vscode.Disposable(() => {});
  readDirectory = refuse;
  createDirectory = refuse;
  delete = refuse;
  rename = refuse;

  stat(uri) {
    const { base, mtime, permissions } = this.#find(uri);
    return { type: vscode.FileType.File, ctime: 0, mtime, size: Buffer.byteLength(base), permissions };
  }

  readFile(uri) {
    const doc = this.#find(uri);
    doc.read = doc.revision;
    return Buffer.from(doc.base);
  }

  async writeFile(uri, content) {
    const doc = this.#find(uri);
    await doc.staying;
    doc.isSaving = true;
    try {
      await this.#save(doc, new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content));
    } catch (error) {
      doc.isSaving = false;
      throw vscode.FileSystemError.Unavailable(error.message);
    }
    doc.staying = this.#stay(doc).catch(this.#report).finally(() => (doc.isSaving = false));
  }

  #find(uri) {
    const doc = this.#documents.get(uri.path);
    if (!doc) throw vscode.FileSystemError.FileNotFound(uri);
    return doc;
  }

  async #save(doc, text) {
    const session = this.#session;
    if (doc.key !== this.#key) await this.#reopen(doc);
    if (doc.madeFrom === undefined) {
      doc.madeFrom = doc.revision;
      throw new Error('It was changed elsewhere. Compare, then save again.');
    }
    const { bar, title } = session.front;
    if (!bar.right) throw new Error(`“${title}” cannot be saved.`);
    const values = split(text, doc.fields);
    doc.told = [doc.told.at(-1), asShown(doc, values)];
    const isOpen = () => doc.key === this.#key;
    await session.act(bar.right, { values, revision: doc.madeFrom }, SAVE_MS).catch((error) => {
      throw new Error((isOpen() && problemOf(session.front)) || error.message);
    });
    // A form that came instead, such as one about a conflict, has to be settled first.
    if (this.#key && !isOpen()) doc.moved = text;
    const problem = this.#key && problemOf(session.front);
    if (problem) throw new Error(`${session.front.title}: ${problem}`);
    Object.assign(doc, { base: text, told: [] });
    this.#touch(doc);
  }

  /** Presses what opened the form of a document once more. */
  async #reopen(doc) {
    const { state, front } = this.#session;
    const { screen, action, item } = doc.opening;
    if (state !== 'running') throw new Error('The server is not running.');
    if (item === undefined || front.name !== screen) {
      throw new Error(`“${doc.name}” is not open at the server now; its text stays here.`);
    }
    await this.#session.act(action, { item }, SAVE_MS);
    if (doc.key !== this.#key) throw new Error(`“${doc.name}” could not be opened again.`);
  }

  /** A saved form is over for the server, but in VS Code a saved file stays open. */
  async #stay(doc) {
    await new Promise(setImmediate); // first VS Code has to hear that it is saved
    if (doc.key === this.#key) return;
    await this.#reopen(doc).catch(() => this.#close(doc)); // it was no row, or the list shows it no more
  }
}

function refuse() {
  throw vscode.FileSystemError.NoPermissions();
}

/** How the server shows these values once it was told them. */
function asShown({ fields }, values) {
  return compose(fields.map((field) => ({ ...field, value: values[field.name] })));
}

/** Whether a tab shows a document, alone or as a side of a diff. */
function shows({ input }, { uri }) {
  return [input?.uri, input?.original, input?.modified].some((one) => one?.toString() === uri.toString());
}

const tabsOf = (doc) => vscode.window.tabGroups.all.flatMap((group) => group.tabs).filter((tab) => shows(tab, doc));

/** Closes the editors of a document, whether the user agrees: VS Code asks about unsaved text. */
const closeTabs = (doc) => vscode.window.tabGroups.close(tabsOf(doc));

/** A document as VS Code has it. */
function textOf({ uri }) {
  return vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
}

module.exports = { Forms };
