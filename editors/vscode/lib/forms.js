'use strict';

const vscode = require('vscode');
const { within } = require('./session');
const { compose, documentsOf, layoutOf, plain, primaryOf, split } = require('./text');

const SCHEME = 'todo';
const FOLDER = '/todo-form'; // package.json gives files in it their language, which turns off what changes a text
const NAME_LENGTH = 60;
const UNSAVED = 'unsaved'; // the name of the records of unsaved text
const UNKNOWN_BASE = '?'; // to the server an unknown version, with which every save is compared
const OPEN_FIRST = 'Open this text from its list first. Then save it again.';
const SAVE_MS = 5000;
const TYPING_MS = 200;

/**
 * The forms with a layout, as files that live in the server: saving one does what Enter does on its screen, closing
 * it goes back. A document belongs to a form by the `id` of that and of its list, which are its address, so VS Code
 * finds it again after a restart; it knows the `base` that its text was typed on.
 *
 * Its `state` is `clean`; `typed`, when the server was told of unsaved text; `saving`, until VS Code knows how that
 * ended; `closing`; or `away`, when its form is not in front: then unsaved text stays, and saving opens the form again.
 */
class Forms {
  #session;
  #report;
  #records;
  #documents = new Map();
  #shown; // the identity of the form in front
  #changed = new vscode.EventEmitter();
  #problems = vscode.languages.createDiagnosticCollection(SCHEME);
  onDidChangeFile = this.#changed.event;

  /** `report(error)` shows an error without a caller; `records` is a memento, which survives a restart of VS Code. */
  constructor(session, report, records) {
    this.#session = session;
    this.#report = report;
    this.#records = records;
    for (const { path, ...form } of records.get(UNSAVED, [])) this.#add(path, { ...form, state: 'away' });
    this.subscriptions = [
      this.#changed,
      this.#problems,
      vscode.workspace.registerFileSystemProvider(SCHEME, this, { isCaseSensitive: true }),
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.#textChanged(document)),
      vscode.workspace.onDidSaveTextDocument(({ uri }) => this.#isSaved(this.#documents.get(uri.path))),
      vscode.window.tabGroups.onDidChangeTabs(({ closed }) => closed.forEach((tab) => this.#tabClosed(tab))),
    ];
    // What VS Code opened again after its restart shows nothing any more; unsaved text, which it may not have read yet,
    // stays.
    const isGone = (uris) => uris.some(isOurs) && !uris.some(({ path }) => this.#documents.has(path));
    vscode.window.tabGroups.close(tabs().filter((tab) => !tab.isDirty && isGone(urisOf(tab))));
  }

  /** The documents of the form in front; the first one can be typed into. */
  get front() {
    const docs = [...this.#documents.values()].filter(({ id }) => id === this.#shown);
    return docs.sort((one, other) => (one.permissions ?? 0) - (other.permissions ?? 0));
  }

  // What the server shows

  render() {
    const { state, front } = this.#session;
    const isRunning = state === 'running';
    const groups = isRunning ? documentsOf(front) : [];
    const id = formOf(this.#session);
    const isNew = this.#shown !== id;
    this.#shown = groups.length ? id : undefined;
    const known = groups.map((fields) => this.#documentOf(front, fields));
    for (const doc of this.#documents.values()) if (doc.id !== this.#shown) this.#lost(doc, isRunning);
    const isSaving = known.some((doc) => doc?.state === 'saving');
    groups.forEach((fields, index) => this.#update(known[index] ?? this.#create(front, fields), fields));
    if (isNew && groups.length && !isSaving) this.show().catch(this.#report);
  }

  #documentOf(front, fields) {
    const all = [...this.#documents.values()];
    const id = formOf(this.#session);
    const same = all.find((doc) => doc.id === id && doc.fields[0].name === fields[0].name);
    if (same || layoutOf(front) !== 'text') return same;
    const saving = all.find(({ state }) => state === 'saving'); // as something new, or what is left of a comparison
    return saving && Object.assign(saving, { id, screen: front.name, side: undefined, fields });
  }

  #create(front, fields) {
    const [{ side, label, readOnly }] = fields;
    const title = front.subject ?? front.title;
    const text = plain(side ? `${title} ${label}` : title);
    const name = text.replace(/[\p{C}/\\?#]+/gu, ' ').slice(0, NAME_LENGTH).trim() || front.name;
    const id = formOf(this.#session);
    const folder = `${FOLDER}/${[id, side].filter(Boolean)}`;
    // Unsaved text without a record, after a restart of VS Code, was typed on an unknown version.
    const isHere = ({ uri, isDirty }) => isDirty && isOurs(uri) && uri.path.startsWith(`${folder}/`);
    const unsaved = vscode.workspace.textDocuments.find(isHere);
    const permissions = readOnly ? vscode.FilePermission.Readonly : undefined;
    const { name: screen, body: { base } } = front;
    const form = { id, screen, name, side, permissions, fields, base, item: this.opening, state: 'clean' };
    const doc = this.#add(unsaved?.uri.path ?? `${folder}/${name}`, form);
    if (unsaved) doc.base = UNKNOWN_BASE;
    else this.#touch(doc);
    return doc;
  }

  /** Adds a document; to VS Code it is older than any text that VS Code may have at its address. */
  #add(path, form) {
    const uri = vscode.Uri.from({ scheme: SCHEME, path });
    const doc = { ...form, uri, drawn: form.base, text: compose(form.fields), told: new Set(), mtime: 0 };
    this.#documents.set(path, doc);
    return doc;
  }

  /** Takes over what the server shows, unless that may be what it was told from here, or the text is unsaved. */
  #update(doc, fields) {
    const text = compose(fields);
    const { base } = this.#session.front.body;
    const diagnostics = fields.flatMap(({ error }, index) => {
      const line = index && index === fields.length - 1 ? index + 1 : index; // the last one is below a blank line
      const range = new vscode.Range(line, 0, line, Number.MAX_SAFE_INTEGER);
      return error ? [new vscode.Diagnostic(range, plain(error), vscode.DiagnosticSeverity.Error)] : [];
    });
    this.#problems.set(doc.uri, diagnostics);
    const document = textOf(doc);
    if (doc.side && document?.isDirty) doc.base = base; // what it is compared with is shown anew
    if (doc.state === 'saving' || doc.state === 'closing') return;
    if (doc.state === 'away' && document?.isDirty) this.#textChanged(document); // the server is told of it anew
    if (doc.state === 'away') doc.state = 'clean';
    if (text === doc.text && doc.base === doc.drawn) doc.base = doc.drawn = base; // VS Code has read it
    if (doc.state === 'typed' || document?.isDirty) return;
    if (text !== doc.text) this.#touch(doc);
    Object.assign(doc, { text, fields, drawn: base });
  }

  #touch(doc) {
    doc.mtime = Math.max(Date.now(), doc.mtime + 1); // an editor with unsaved text compares it before it saves
    this.#changed.fire([{ type: vscode.FileChangeType.Changed, uri: doc.uri }]);
  }

  /** The form of a document is not in front: unsaved text stays, and what was shown by a server that has ended. */
  #lost(doc, isRunning) {
    if (doc.state === 'saving' || doc.state === 'closing') return;
    const text = textOf(doc);
    const isSettled = doc.sent !== undefined && doc.sent === text?.getText();
    if (isRunning && doc.sent !== undefined && layoutOf(this.#session.front) === 'compare') return;
    if (isRunning && (isSettled || (doc.state !== 'away' && !text?.isDirty))) this.#close(doc).catch(this.#report);
    else Object.assign(doc, { state: 'away', sent: undefined }); // a server that has ended has settled nothing
  }

  // Editors

  /** Shows the form in front: as text, as diffs of its sides beside each other, or as what these began as. */
  async show(isBase = false) {
    const [right, ...others] = this.front;
    if (right && !others.length) await vscode.window.showTextDocument(right.uri, { preview: false });
    for (const [index, left] of others.filter(({ side }) => (side === 'base') === isBase).entries()) {
      const [one, other] = [left, right].map(({ fields }) => plain(fields[0].label));
      const title = `${plain(this.#session.front.title)}: ${one} ↔ ${other}`;
      const options = { preview: false, viewColumn: index + 1 };
      await vscode.commands.executeCommand('vscode.diff', left.uri, right.uri, title, options);
    }
  }

  /** Saves unsaved text of the form in front in VS Code's own way; whether there was some. */
  async save() {
    const text = textOf(this.front[0] ?? {});
    if (!text?.isDirty) return false;
    await text.save();
    return true;
  }

  /** Closes the text in front, or unsaved text before another one comes for `item`; false if the user stays. */
  async makeWay(item) {
    const docs = [...this.#documents.values()].filter(({ side }) => !side);
    const doc = docs.find((one) => textOf(one)?.isDirty && (item || one.id === this.#shown));
    if (item && doc?.item === item && isIn(this.#session, doc)) return doc.id !== this.#shown;
    return !doc || this.#leave(doc);
  }

  /** Leaves the text in front, which VS Code asks about if it is unsaved. Whether there was one. */
  async leave() {
    const [doc] = this.front;
    if (!doc || doc.side) return false;
    await this.#leave(doc);
    return true;
  }

  async #close(doc) {
    doc.state = 'closing';
    await textOf(doc)?.save(); // so that nobody is asked about text that was settled elsewhere
    await closeTabs(doc);
    this.#forget(doc);
  }

  #forget(doc) {
    this.#documents.delete(doc.uri.path);
    this.#problems.delete(doc.uri);
    this.#record();
  }

  #tabClosed(tab) {
    const doc = this.#documents.get(tab.input?.uri?.path);
    // One side of a diff may be closed and shown again; that decides nothing.
    if (!doc || doc.side || doc.state === 'closing' || tabsOf(doc).length) return;
    this.#leave(doc).catch(this.#report);
  }

  /** Closes a text, which VS Code asks about if it is unsaved, and goes back; false if the user stays. */
  async #leave(doc) {
    return (await closeTabs(doc)) && (doc.leaving ??= this.#goBack(doc)); // VS Code tells of closed tabs, too
  }

  async #goBack(doc) {
    doc.state = 'closing';
    this.#forget(doc);
    const { front } = this.#session;
    const back = doc.id === formOf(this.#session) && front.actions.find(({ role }) => role === 'back');
    if (back) await this.#session.ask('act', front, { action: back.name });
    return true;
  }

  #textChanged(document) {
    const doc = isOurs(document.uri) && this.#documents.get(document.uri.path);
    if (!doc) return;
    clearTimeout(doc.timer);
    doc.timer = setTimeout(() => this.#tell(doc, document), TYPING_MS);
  }

  /** Records what VS Code itself does not keep of unsaved text: the stored fields and their version. */
  #record() {
    const unsaved = [...this.#documents.values()].filter((doc) => textOf(doc)?.isDirty ?? doc.state === 'away');
    this.#records.update(UNSAVED, unsaved.map(({ uri: { path }, id, screen, name, side, fields, base, item }) => {
      return { path, id, screen, name, side, fields, base, item };
    }));
  }

  /** The values to send: those of fields with edits, and of fields whose edits were sent since the last save. */
  #edits(doc, text) {
    const values = split(text, doc.fields);
    for (const { name, value = '' } of doc.fields) if (values[name] !== value) doc.told.add(name);
    return Object.fromEntries(Object.entries(values).filter(([name]) => doc.told.has(name)));
  }

  /** Tells the server what is typed: it says what is wrong with it, and from then on warns of changes elsewhere. */
  async #tell(doc, document) {
    this.#record();
    const { isDirty } = document;
    const isTold = doc.state === 'typed' || (doc.state === 'clean' && isDirty);
    const { front } = this.#session;
    if (!isTold || doc.id !== formOf(this.#session)) return;
    doc.state = 'typed';
    const values = this.#edits(doc, document.getText());
    await this.#session.ask('change', front, { values, base: doc.base }).catch(() => {}); // saving says it again
    // It was reverted: once the server knows, it shows what has become of the text elsewhere.
    if (isDirty || document.isDirty || doc.state !== 'typed') return;
    doc.told.clear();
    doc.state = 'clean';
    this.render();
  }

  // The file system

  watch = () => new vscode.Disposable(() => {});
  readDirectory = () => [];
  createDirectory = () => {
    throw vscode.FileSystemError.NoPermissions(OPEN_FIRST);
  };
  delete = this.createDirectory;
  rename = this.createDirectory;

  stat(uri) {
    const { text, mtime, permissions } = this.#find(uri);
    return { type: vscode.FileType.File, ctime: 0, mtime, size: Buffer.byteLength(text), permissions };
  }

  readFile(uri) {
    const doc = this.#find(uri);
    doc.base = doc.drawn;
    return Buffer.from(doc.text);
  }

  async writeFile(uri, content) {
    const doc = this.#find(uri);
    if (doc.state === 'closing') return;
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content);
    doc.state = 'saving';
    await this.#save(doc, text).catch((error) => {
      doc.state = formOf(this.#session) === doc.id ? 'clean' : 'away';
      throw vscode.FileSystemError.Unavailable(plain(error.message));
    });
  }

  #find(uri) {
    const doc = this.#documents.get(uri.path);
    if (!doc) throw vscode.FileSystemError.Unavailable(OPEN_FIRST); // if it were not found, VS Code would create it
    return doc;
  }

  async #save(doc, text) {
    const session = this.#session;
    const { screen, base } = doc;
    if (session.state === 'new') await session.start();
    const isUnknown = base === UNKNOWN_BASE && formOf(session) !== doc.id;
    if (isUnknown || !isIn(session, doc)) throw new Error(OPEN_FIRST);
    const isOther = layoutOf(session.front) === 'compare' && !doc.side;
    if (isOther) throw new Error(`“${session.front.title}” comes first. Then save again.`);
    // Its form comes to the front; and whether the server wants us to ask depends on what was typed last.
    if (doc.side || formOf(session) !== doc.id) {
      doc.fields.forEach((field) => doc.told.add(field.name));
      const params = { screen, values: this.#edits(doc, text), base, open: true };
      await within(SAVE_MS, session.request('screen/change', params));
    }
    const { front } = session;
    const { name, title, confirm } = primaryOf(front, 'screen');
    if (confirm && !(await ask(confirm, front.subject, title))) throw new Error('Nothing was saved.');
    const params = { action: name, values: this.#edits(doc, text), base: base ?? front.body.base, stay: !doc.side };
    // Saved again meanwhile, what is stored late would be a change by somebody else.
    if (doc.isAwaited) throw new Error('The last save has no answer yet.');
    doc.isAwaited = true;
    const answer = session.ask('act', front, params).finally(() => (doc.isAwaited = false));
    await within(SAVE_MS, answer).catch((error) => {
      const told = plain(`“${doc.name}” is saved now.`);
      const tell = () => this.#saved(doc, text) && vscode.window.showInformationMessage(told);
      if (error.isLate) answer.then(tell).then(() => this.render()).catch(this.#report);
      throw error;
    });
    if (this.#saved(doc, text)) return this.#touch(doc);
    doc.sent = text; // the form that came instead has to be settled first
    throw new Error(`${session.front.title}: ${session.front.message?.text ?? ''}`);
  }

  /** Whether a text is stored that the server was asked to store: not if sides have to be compared first. */
  #saved(doc, text) {
    const { front } = this.#session;
    if (layoutOf(front) === 'compare') return false;
    doc.told.clear();
    if (formOf(this.#session) === doc.id) {
      const [fields] = documentsOf(front);
      Object.assign(doc, { text, fields, base: front.body.base, drawn: front.body.base });
    }
    return true;
  }

  /** VS Code knows that a text is saved: now what the server shows is for it again. */
  #isSaved(doc) {
    if (doc?.state === 'saving') doc.state = 'clean';
    this.render();
  }
}

/** Asks with one button about something; whether it was pressed. */
async function ask(question, subject, button) {
  const options = { modal: true, detail: plain(subject) };
  return (await vscode.window.showWarningMessage(plain(question), options, plain(button))) === plain(button);
}

/** The list in front, or below the form in front. */
const listOf = ({ stack, front }) => encodeURIComponent((layoutOf(front) ? stack.at(-2) : front)?.id ?? '');

/** The identity of the form in front, with that of its list: a todo of another user may have the same. */
const formOf = (session) => `${listOf(session)},${encodeURIComponent(session.front?.id ?? '')}`;

/** Whether the list of a document is shown. */
const isIn = (session, { id }) => id.startsWith(`${listOf(session)},`);

const isOurs = ({ scheme }) => scheme === SCHEME;

const tabs = () => vscode.window.tabGroups.all.flatMap((group) => group.tabs);

/** What a tab shows, alone or as the sides of a diff. */
const urisOf = ({ input }) => [input?.uri, input?.original, input?.modified].filter(Boolean);

/** The tabs that show a document. */
const tabsOf = ({ uri }) => tabs().filter((tab) => urisOf(tab).some((one) => `${one}` === `${uri}`));

/** Closes the editors of a document, whether the user agrees: VS Code asks about unsaved text. */
const closeTabs = (doc) => vscode.window.tabGroups.close(tabsOf(doc));

/** A document as VS Code has it. */
function textOf({ uri }) {
  return vscode.workspace.textDocuments.find((document) => `${document.uri}` === `${uri}`);
}

module.exports = { Forms, ask };
