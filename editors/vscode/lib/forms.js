'use strict';

const vscode = require('vscode');
const editors = require('./editors');
const { compose, documentsOf, problemOf, split } = require('./text');

const SCHEME = 'todo';
const FOLDER = '/todo-form'; // package.json gives files in it their language, which turns off what changes a text
const NAME_LENGTH = 60;
const SAVE_MS = 5000;
const TYPING_MS = 200;

/**
 * The forms with long texts, as files that live in the server. Each document belongs to one visit to a
 * screen (`key`); saving it presses the action at the right of the bar, closing it the one at the left.
 */
class Forms {
  #session;
  #report;
  #documents = new Map();
  #reopening = null;
  #telling = Promise.resolve();
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
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.#typed(document)),
      vscode.window.tabGroups.onDidChangeTabs(({ closed }) => closed.forEach((tab) => this.#tabClosed(tab))),
    ];
  }

  // What the server shows

  render() {
    const { front, frontKey, keys, state } = this.#session;
    // A server that ended has settled nothing.
    if (state !== 'running') for (const doc of this.#documents.values()) doc.isSettled = false;
    for (const doc of this.#documents.values()) if (!keys.includes(doc.key)) this.#lost(doc);
    const parts = documentsOf(front);
    if (parts.length && this.#reopening) this.#reopening.key = frontKey;
    const open = this.#of(frontKey);
    if (parts.length && !open.length) {
      parts.forEach((fields, index) => this.#create(fields, index));
      this.show().catch(this.#report);
    }
    open.forEach((doc, index) => parts[index] && this.#update(doc, parts[index]));
  }

  #of(key) {
    return [...this.#documents.values()].filter((doc) => doc.key === key);
  }

  #create(fields, index) {
    const { frontKey, front, press } = this.#session;
    const text = (fields.length > 1 && fields[0].value) || `${front.title} ${fields[0].label}`;
    const name = text.replace(/[\p{C}/\\?#]+/gu, ' ').slice(0, NAME_LENGTH).trim() || front.name;
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `${FOLDER}/${frontKey}-${index}/${name}` });
    const doc = { uri, name, key: frontKey, opening: press, mtime: 0, echoes: [] };
    this.#documents.set(uri.path, doc);
    this.#update(doc, fields);
  }

  /** Takes over what the server shows, unless that is what it was told from here. */
  #update(doc, fields) {
    const shown = JSON.stringify(split(compose(fields), fields));
    if (shown !== doc.shown && !doc.echoes.includes(shown)) {
      Object.assign(doc, { fields, shown, told: shown, echoes: [], base: compose(fields) });
      this.#touch(doc);
    }
    const diagnostics = fields.flatMap((field, line) => {
      const end = new vscode.Range(line, 0, line, Number.MAX_SAFE_INTEGER);
      return field.error ? [new vscode.Diagnostic(end, field.error, vscode.DiagnosticSeverity.Error)] : [];
    });
    this.#problems.set(doc.uri, diagnostics);
  }

  #touch(doc) {
    doc.mtime = Math.max(Date.now(), doc.mtime + 1); // a dirty editor compares it before it saves
    this.#changed.fire([{ type: vscode.FileChangeType.Changed, uri: doc.uri }]);
  }

  /** The screen of a document is gone: unsaved text stays, unless the form that came instead settles it. */
  #lost(doc) {
    if (doc.isSaving || doc.isClosing || doc === this.#reopening) return;
    const isDirty = editors.isDirty(doc);
    const isForm = documentsOf(this.#session.front).length > 0;
    if (isDirty && isForm && !doc.isLost) doc.isSettled = true;
    doc.isLost = true;
    if (!isDirty || (doc.isSettled && !isForm)) this.#close(doc).catch(this.#report);
  }

  // Editors

  /** Shows the documents of the form in front, if it has any. */
  async show() {
    const { front, frontKey } = this.#session;
    const documents = this.#of(frontKey);
    if (documents.length) await editors.show(front.title, documents);
    return documents.length > 0;
  }

  /** Whether the form in front is the one that this press opened. */
  isFrom(action, item) {
    const [doc] = this.#of(this.#session.frontKey);
    return doc?.opening.item === item && doc.opening.action === action;
  }

  /** Whether the form in front can be left without a question. */
  get canLeave() {
    return this.#of(this.#session.frontKey).length === 1 && !this.unsaved().length;
  }

  /** The documents of the form in front that have unsaved text. */
  unsaved() {
    return this.#of(this.#session.frontKey).filter((doc) => editors.isDirty(doc));
  }

  /** Runs `action`, which may end the form in front, with what was typed into it; after that its text is settled. */
  async settle(action) {
    const documents = this.#of(this.#session.frontKey);
    const texts = this.unsaved().map((doc) => split(editors.textOf(doc).getText(), doc.fields));
    for (const doc of documents) doc.isSettled = true;
    try {
      return await action(Object.assign({}, ...texts));
    } finally {
      const { keys } = this.#session;
      for (const doc of documents) if (keys.includes(doc.key)) doc.isSettled = false;
    }
  }

  async #close(doc) {
    doc.isClosing = true;
    await editors.close(doc);
    this.#forget(doc);
  }

  #forget(doc) {
    this.#documents.delete(doc.uri.path);
    this.#problems.delete(doc.uri);
  }

  #tabClosed(tab) {
    for (const doc of [...this.#documents.values()].filter((one) => editors.shows(tab, one))) {
      // One side of a diff may be closed and shown again; that decides nothing.
      if (doc.isClosing || this.#of(doc.key).length > 1 || editors.isShown(doc)) continue;
      this.#forget(doc);
      this.#leave(doc).catch(this.#report);
    }
  }

  async #leave(doc) {
    const { front, frontKey } = this.#session;
    if (frontKey === doc.key && front.bar.left && !doc.isSaving) await this.#session.act(front.bar.left);
  }

  // Live validation

  #typed({ uri }) {
    const doc = uri.scheme === SCHEME && this.#documents.get(uri.path);
    if (!doc) return;
    clearTimeout(doc.timer);
    doc.timer = setTimeout(() => (this.#telling = this.#telling.then(() => this.#tell(doc))), TYPING_MS);
  }

  async #tell(doc) {
    const document = editors.textOf(doc);
    if (!document || doc.isSaving || doc.key !== this.#session.frontKey || this.#session.state !== 'running') return;
    const values = split(document.getText(), doc.fields);
    if (JSON.stringify(values) === doc.told) return;
    this.#remember(doc, values);
    await this.#session.change(values).catch(() => {}); // saving will say it
  }

  /** What comes back of this is no change by somebody else. One message is under way at a time: two are enough. */
  #remember(doc, values) {
    doc.told = JSON.stringify(values);
    doc.echoes = [...doc.echoes.slice(-1), doc.told];
  }

  // The file system

  watch() {
    return new vscode.Disposable(() => {});
  }

  stat(uri) {
    const { base, mtime } = this.#find(uri);
    return { type: vscode.FileType.File, ctime: 0, mtime, size: Buffer.byteLength(base) };
  }

  readFile(uri) {
    return Buffer.from(this.#find(uri).base);
  }

  async writeFile(uri, content) {
    const doc = this.#find(uri);
    await doc.staying;
    doc.isSaving = true;
    try {
      await this.#save(doc, new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content));
    } catch (error) {
      throw vscode.FileSystemError.Unavailable(error.message);
    } finally {
      doc.isSaving = false;
    }
    if (!this.#session.keys.includes(doc.key)) doc.staying = this.#stay(doc).catch(this.#report);
  }

  #find(uri) {
    const doc = this.#documents.get(uri.path);
    if (!doc) throw vscode.FileSystemError.FileNotFound(uri);
    return doc;
  }

  async #save(doc, text) {
    const session = this.#session;
    if (session.frontKey !== doc.key || session.state !== 'running') {
      const { base } = doc;
      await this.#reopen(doc);
      if (![base, text].includes(doc.base)) throw new Error('It was changed elsewhere. Compare, then save again.');
    }
    const values = split(text, doc.fields);
    this.#remember(doc, values);
    if (this.#of(doc.key).length > 1) await this.#changeOneSide(doc, values);
    const { frontKey, front } = session;
    if (!front.bar.right) throw new Error(`“${front.title}” cannot be saved.`);
    await session.act(front.bar.right, { values }, SAVE_MS).catch((error) => {
      throw new Error((session.frontKey === frontKey && problemOf(session.front)) || error.message);
    });
    if (session.frontKey === frontKey ? problemOf(session.front) : documentsOf(session.front).length) {
      doc.isSettled = session.frontKey !== frontKey;
      throw new Error(`${session.front.title}: ${problemOf(session.front)}`);
    }
    Object.assign(doc, { base: text, isSettled: false, shown: doc.told });
    doc.fields = doc.fields.map((field) => ({ ...field, value: values[field.name] }));
    this.#touch(doc);
  }

  /** Of several texts some may be there only to be read, and the server alone knows which: it drops what is typed. */
  async #changeOneSide(doc, values) {
    await this.#session.change(values);
    const [{ name, label }] = doc.fields;
    const shown = this.#session.front.body.fields.find((field) => field.name === name);
    if (shown?.value !== values[name]) throw new Error(`“${label}” is there only to be read.`);
  }

  /** Presses what opened the form of a document once more. */
  async #reopen(doc) {
    const session = this.#session;
    const { opening } = doc;
    if (session.state !== 'running') throw new Error('The server is not running.');
    if (opening.item === undefined || session.front?.name !== opening.screen) {
      throw new Error(`“${doc.name}” is not open at the server now; its text stays here.`);
    }
    this.#reopening = doc;
    await session.act(opening.action, opening, SAVE_MS).finally(() => (this.#reopening = null));
    if (session.frontKey !== doc.key) throw new Error(`“${doc.name}” could not be opened again.`);
    doc.isLost = false;
  }

  /** A saved form is over for the server, but in VS Code a saved file stays open. */
  async #stay(doc) {
    await new Promise(setImmediate); // first VS Code has to hear that it is saved
    try {
      if (!this.#documents.has(doc.uri.path)) return;
      await this.#reopen(doc);
      if (!this.#documents.has(doc.uri.path)) await this.#leave(doc);
    } catch {
      await this.#close(doc); // it was no row, or the list shows it no more
    }
  }

  readDirectory() {
    return [];
  }

  createDirectory = refuse;
  delete = refuse;
  rename = refuse;
}

function refuse() {
  throw vscode.FileSystemError.NoPermissions();
}

module.exports = { Forms };
