'use strict';

const vscode = require('vscode');
const { compose, documentsOf, split } = require('./text');

const SCHEME = 'todo';
const FOLDER = '/todo-form'; // package.json gives files in it their language, which turns off what changes a text
const NAME_LENGTH = 60;
const SAVE_MS = 5000;
const TYPING_MS = 200;
/** Of a document whose text was made from nothing that this server has shown in this form. */
const UNSEEN = { typedOn: undefined, drawnOn: undefined, moved: undefined, told: false };

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
      if (state === 'running' && doc.key !== key) this.#lost(doc);
      else if (state !== 'running' || isNew) Object.assign(doc, UNSEEN);
    }
    const known = this.front;
    parts.forEach((fields, index) => this.#update(known[index] ?? this.#create(fields, parts), fields, isNew));
    if (isNew && !known.some((doc) => doc.isSaving)) this.show().catch(this.#report);
  }

  #create(fields, { length }) {
    const { front, opening } = this.#session;
    const typedOn = baseOf(front);
    const text = (fields.length > 1 && fields[0].value) || `${front.title} ${fields[0].label}`;
    const name = text.replace(/[\p{C}/\\?#]+/gu, ' ').slice(0, NAME_LENGTH).trim() || front.name;
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `${FOLDER}/${++this.#count}/${name}` });
    const permissions = fields.every(({ readOnly }) => readOnly) ? vscode.FilePermission.Readonly : undefined;
    const isSide = length > 1;
    const doc = { uri, name, permissions, isSide, key: this.#key, opening: isSide ? {} : opening, mtime: 0, typedOn };
    this.#documents.set(uri.path, doc);
    return doc;
  }

  /** Takes over what the server shows, unless that may be what it was told from here, or the text is unsaved. */
  #update(doc, fields, isNew) {
    const drawnOn = baseOf(this.#session.front);
    const base = compose(fields);
    if (isNew || (!doc.told && (base === doc.base || !textOf(doc)?.isDirty))) {
      if (base !== doc.base) this.#touch(doc);
      else if (doc.typedOn === doc.drawnOn) doc.typedOn = drawnOn; // VS Code has read it
      Object.assign(doc, { base, fields, drawnOn });
    }
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
    const text = textOf(doc);
    // After a conflict the text is part of another form, and settled with that.
    const isSettled = !this.#key && text?.getText() === doc.moved;
    const isOrphan = doc.typedOn === undefined;
    if (isOrphan || doc.isSaving || doc.isClosing || (text?.isDirty && !isSettled)) return;
    this.#close(doc).catch(this.#report);
  }

  // Editors

  /** Shows the documents of the form in front, if it has any: one as text, several as diffs beside each other. */
  async show() {
    const [right = this.front[0]] = this.front.filter(({ permissions }) => !permissions);
    const others = this.front.filter((doc) => doc !== right);
    if (right && !others.length) await vscode.window.showTextDocument(right.uri, { preview: false });
    for (const [column, left] of others.entries()) {
      const sides = `${this.#session.front.title}: ${left.fields[0].label} ↔ ${right.fields[0].label}`;
      const options = { preview: false, viewColumn: column + 1 };
      await vscode.commands.executeCommand('vscode.diff', left.uri, right.uri, sides, options);
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
    await textOf(doc)?.save(); // so that nobody is asked about text that was settled elsewhere
    await closeTabs(doc);
    this.#forget(doc);
  }

  #forget(doc) {
    this.#documents.delete(doc.uri.path);
    this.#problems.delete(doc.uri);
  }

  #tabClosed(tab) {
    const doc = this.#documents.get(tab.input?.uri?.path);
    // One side of a diff may be closed and shown again; that decides nothing.
    if (!doc || doc.isSide || doc.isClosing || tabsOf(doc).length) return;
    (doc.leaving ??= this.#leave(doc)).catch(this.#report);
  }

  async #leave(doc) {
    doc.isClosing = true;
    await doc.staying;
    this.#forget(doc);
    const { left } = this.#session.front?.bar ?? {};
    if (doc.key === this.#key && left) await this.#session.act(left);
  }

  #textChanged(document) {
    const doc = document.uri.scheme === SCHEME && this.#documents.get(document.uri.path);
    if (!doc) return;
    clearTimeout(doc.timer);
    doc.timer = setTimeout(() => this.#tell(doc, document), TYPING_MS);
  }

  /** Tells the server what is typed: it says what is wrong with it, and from then on warns of changes elsewhere. */
  async #tell(doc, document) {
    const { isDirty } = document;
    if (doc.key !== this.#key || doc.isSaving || doc.isClosing) return;
    if (isDirty || doc.told) {
      doc.told = true;
      const values = split(document.getText(), doc.fields);
      await this.#session.change(values, doc.typedOn).catch(() => {}); // saving will say it again
    }
    // It was reverted: once the server knows, it shows what has become of the text elsewhere.
    if (isDirty || document.isDirty) return;
    doc.told = false;
    this.render();
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
    doc.typedOn = doc.drawnOn;
    return Buffer.from(doc.base);
  }

  async writeFile(uri, content) {
    const doc = this.#find(uri);
    if (doc.isClosing) return;
    await doc.staying;
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content);
    doc.isSaving = true;
    await this.#save(doc, text).catch((error) => {
      doc.isSaving = false;
      throw vscode.FileSystemError.Unavailable(error.message);
    });
    doc.staying = this.#stay(doc);
  }

  #find(uri) {
    const doc = this.#documents.get(uri.path);
    if (!doc) throw vscode.FileSystemError.FileNotFound(uri);
    return doc;
  }

  async #save(doc, text) {
    const session = this.#session;
    if (session.state !== 'running') throw new Error('The server is not running.');
    if (doc.key !== this.#key) throw new Error(`“${doc.name}” is not open at the server. Open it, then save again.`);
    // Text made from what was stored before the server tells apart; that from another form VS Code has to compare.
    if (doc.typedOn === undefined) {
      doc.typedOn = doc.drawnOn;
      throw new Error('It was changed elsewhere. Compare, then save again.');
    }
    doc.told = true;
    const values = split(text, doc.fields);
    await session.act(session.front.bar.right, { values, base: doc.typedOn }, SAVE_MS);
    if (this.#key && doc.key !== this.#key) {
      doc.moved = text; // the form that came instead, such as one about a conflict, has to be settled first
      throw new Error(`${session.front.title}: ${session.front.message?.text ?? ''}`);
    }
    Object.assign(doc, { base: text, told: false });
    this.#touch(doc);
  }

  /** A saved form is over for the server, but in VS Code a saved file stays open: what opened it is pressed again. */
  async #stay(doc) {
    await new Promise(setImmediate); // first VS Code has to hear that it is saved
    const { screen, action, item } = doc.opening;
    const isBack = item !== undefined && this.#session.front.name === screen;
    if (isBack) await this.#session.act(action, { item }, SAVE_MS).catch(() => {}); // the list may show it no more
    doc.isSaving = false;
    this.render();
  }
}

/** What a form says that its texts were made from; null where it says nothing. */
const baseOf = ({ body }) => body.base ?? null;

function refuse() {
  throw vscode.FileSystemError.NoPermissions();
}

/** The tabs that show a document, alone or as a side of a diff. */
function tabsOf({ uri }) {
  const isIn = ({ input }) => [input?.uri, input?.original, input?.modified].some((one) => `${one}` === `${uri}`);
  return vscode.window.tabGroups.all.flatMap((group) => group.tabs).filter(isIn);
}

/** Closes the editors of a document, whether the user agrees: VS Code asks about unsaved text. */
const closeTabs = (doc) => vscode.window.tabGroups.close(tabsOf(doc));

/** A document as VS Code has it. */
function textOf({ uri }) {
  return vscode.workspace.textDocuments.find((document) => `${document.uri}` === `${uri}`);
}

module.exports = { Forms };
