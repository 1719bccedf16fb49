'use strict';

const vscode = require('vscode');
const { ask } = require('./ask');
const {
  SCHEME, closeTabs, isOurs, problemsOf, showTexts, tabs, tabsOf, textOf, touchText, urisOf,
} = require('./documents');
const { within } = require('./session');
const { documentsOf, formOf, isIn, layoutOf, roleOf, saveOf, shownScreen } = require('./screens');
const { compose, editsOf, namesOf, plain, rebase, remember, sameLines, withLF } = require('./text');

const FOLDER = '/Todo'; // package.json gives files in it their language, which turns off what changes a text
const NAME_LENGTH = 60;
const UNSAVED = 'unsaved'; // the name of the records of unsaved text
const UNKNOWN_BASE = '?'; // to the server an unknown version, with which every save is compared
const OPEN_FIRST = 'Open this text from its list first. Then save it again.';
const TYPING_MS = 200;
const UNSENT_MS = 4000; // from the first unsent key, after which edits are not put off any more

/**
 * The forms with a layout, as files that live in the server: saving one does what Enter does on its screen, closing
 * it goes back. A document belongs to a form by the `id` of that and of its list, which are the query of its address,
 * so VS Code finds it again after a restart; the path, which VS Code shows, is for the user. It knows the `fields` and
 * the `base` of its text, as `stored` those that the server showed last while the text had no edits, which VS Code may
 * not have read yet, and as `versions` those of the texts that VS Code has read or saved, to which undo returns.
 *
 * Its `state` is `clean`; `typed`, when the server has edits of it; `saving`, until VS Code knows how that
 * ended; `reverting`, until the form is open again; `closing`; or `away`, when its form is not in front: then unsaved
 * text stays, and saving opens the form again.
 */
class Forms {
  /** @type {Map<string, any>} */
  #documents = new Map(); // by their addresses
  /** @type {string | undefined} */
  #shown; // the identity of the form in front
  /** @type {Record<string, string | undefined>} */
  opening = {}; // by the `id` of a list, the item of it that is opened
  /** @type {Promise<unknown>} */
  #lastSave = Promise.resolve(); // one save at a time: the server has one form
  #changed = new vscode.EventEmitter();
  #problems = vscode.languages.createDiagnosticCollection(SCHEME);
  #docAt = (uri) => this.#documents.get(`${uri}`);
  /** Whether a document is busy, or shares its tab with unsaved text, about which VS Code would ask. */
  #isHeld = (doc) => isBusy(doc)
    || [...this.#documents.values()].some((one) => one !== doc && one.id === doc.id && textOf(one)?.isDirty);
  onDidChangeFile = this.#changed.event;

  /**
   * `report` shows an error without a caller; `records` survives a restart of VS Code.
   * @param {import('./session').Session} session
   * @param {(error: Error) => void} report
   * @param {{ get(name: string, otherwise: any[]): any[], update(name: string, value: any): unknown }} records
   */
  constructor(session, report, records) {
    this.session = session;
    this.report = report;
    this.records = records;
    for (const { path, query, ...form } of records.get(UNSAVED, [])) this.#add({ path, query }, { ...form, state: 'away' });
    this.subscriptions = [
      this.#changed,
      this.#problems,
      vscode.workspace.registerFileSystemProvider(SCHEME, this, { isCaseSensitive: true }),
      vscode.workspace.onDidChangeTextDocument(({ document: { uri }, reason }) => this.#textChanged(this.#docAt(uri), reason)),
      vscode.workspace.onDidSaveTextDocument(({ uri }) => this.#isSaved(this.#docAt(uri))),
      vscode.window.tabGroups.onDidChangeTabs(({ closed }) => closed.forEach((tab) => this.#tabClosed(tab))),
    ];
    // The tabs that VS Code has reopened after its restart show nothing; those with unsaved text, which may not be
    // loaded yet, stay.
    const isGone = (uris) => uris.some(isOurs) && !uris.some(this.#docAt);
    vscode.window.tabGroups.close(tabs().filter((tab) => !tab.isDirty && isGone(urisOf(tab))));
  }

  /** The documents of the form in front; the first one can be typed into. */
  get front() {
    const docs = [...this.#documents.values()].filter(({ id }) => id === this.#shown);
    return docs.sort((one, other) => (one.permissions ?? 0) - (other.permissions ?? 0));
  }

  // Screens of the server

  render() {
    const { state, front } = this.session;
    const isRunning = state === 'running';
    const groups = isRunning ? documentsOf(front) : [];
    const id = formOf(this.session);
    const isNew = this.#shown !== id;
    this.#shown = groups.length ? id : undefined;
    const known = groups.map((fields) => this.#documentOf(front, fields));
    for (const doc of this.#documents.values()) if (doc.id !== this.#shown) this.#lost(doc, isRunning);
    const isSaving = known.some((doc) => doc && isBusy(doc));
    groups.forEach((fields, index) => this.#update(known[index] ?? this.#create(front, fields), fields));
    if (isNew && groups.length && !isSaving) this.show().catch(this.report);
  }

  #documentOf(front, fields) {
    const all = [...this.#documents.values()];
    const id = formOf(this.session);
    const same = all.find((doc) => doc.id === id && doc.fields[0].name === fields[0].name);
    if (same || layoutOf(front) !== 'text') return same;
    const saving = all.find(({ state }) => state === 'saving'); // as something new, or what is left of a comparison
    if (!saving?.side) return saving && Object.assign(saving, { id, screen: front.name, fields });
    // A merged text has no lines for the fields between its title and its note.
    const stored = { fields: [fields[0], fields.at(-1)], base: front.body.base };
    const form = { id, screen: front.name, side: undefined, ...stored };
    return Object.assign(saving, form, { stored, versions: new Map(), told: new Set() });
  }

  #create(front, fields) {
    const [{ side, label, readOnly }] = fields;
    const title = plain(`${front.subject ?? front.title} ${side ? label : ''}`);
    const name = title.replace(/[\p{C}/\\?#]+/gu, ' ').slice(0, NAME_LENGTH).trim() || front.name;
    const id = formOf(this.session);
    const query = [id, side].filter(Boolean).join();
    // Unsaved text without a record, after a restart of VS Code, was typed on an unknown version.
    const isHere = ({ uri, isDirty }) => isDirty && isOurs(uri) && uri.query === query;
    const unsaved = vscode.workspace.textDocuments.find(isHere);
    const permissions = readOnly ? vscode.FilePermission.Readonly : undefined;
    const { name: screen, body: { base } } = front;
    const item = this.opening[this.session.stack.at(-2)?.id];
    const form = { id, screen, name, side, permissions, fields, base, item, state: 'clean' };
    const doc = this.#add({ path: unsaved?.uri.path ?? `${FOLDER}/${name}`, query }, form);
    if (unsaved) doc.base = UNKNOWN_BASE;
    else this.#touch(doc);
    return doc;
  }

  /** Adds a document; to VS Code it is older than any text that VS Code may have at its address. */
  #add(address, form) {
    const uri = vscode.Uri.from({ scheme: SCHEME, ...address });
    const stored = { fields: form.fields, base: form.base };
    const doc = { ...form, uri, stored, versions: new Map(), told: new Set(), mtime: 0 };
    this.#documents.set(`${uri}`, doc);
    return doc;
  }

  /** Shows the errors of a text, and the text itself unless it has edits. */
  #update(doc, fields) {
    const { body: { base }, actions } = this.session.front;
    this.#problems.set(doc.uri, problemsOf(fields, textOf(doc)?.isDirty ? doc.fields : fields));
    if (isBusy(doc)) return;
    doc.sent = undefined; // its form is here again, so nothing has settled it
    if (doc.state === 'away') doc.state = 'clean';
    const document = textOf(doc);
    if (document?.isDirty && doc.state === 'clean' && !doc.timer) this.#textChanged(doc);
    if (document?.isDirty || doc.state === 'typed') return;
    doc.told.clear();
    doc.isRecovered = Boolean(roleOf(actions, 'back')?.confirm); // edits from an earlier server
    doc.stored = { fields, base };
    // A text without either is unsaved, and VS Code has not read it yet.
    if (!this.#adopt(doc) && (document || doc.mtime)) this.#touch(doc);
  }

  /** Makes the stored version the base of the text, if VS Code shows it: whether it does. */
  #adopt(doc) {
    const document = textOf(doc);
    const isShown = document && !document.isDirty && sameLines(document.getText(), compose(doc.stored.fields));
    if (isShown) Object.assign(doc, doc.stored);
    return isShown;
  }

  #touch(doc) {
    doc.mtime = Math.max(Date.now(), doc.mtime + 1); // an editor with unsaved text compares it before it saves
    this.#changed.fire([{ type: vscode.FileChangeType.Changed, uri: doc.uri }]);
  }

  /** The form of a document is not in front: unsaved text stays, and what was shown by a server that has ended. */
  #lost(doc, isRunning) {
    if (this.#isHeld(doc)) return;
    if (isRunning && doc.state !== 'away' && !textOf(doc)?.isDirty) return void this.#close(doc).catch(this.report);
    const isAsked = isRunning && layoutOf(this.session.front) === 'compare';
    Object.assign(doc, { state: 'away', sent: isAsked ? doc.sent : undefined });
  }

  // Editors

  /** Shows the form in front; a comparison with theirs, or with its other sides. */
  show = (isOther = false) => showTexts(this.front, this.session.front?.title, isOther);

  /** Saves unsaved text of the form in front in VS Code's own way; false if there is none. */
  save() {
    const text = textOf(this.front[0]);
    return text?.isDirty && text.save().then(() => true);
  }

  /** Closes an unsaved text in front before `item` is opened; false if the user stays, or the item's text is open. */
  async makeWay(item) {
    const [doc] = this.front;
    const docs = [...this.#documents.values()].filter((one) => !one.side && textOf(one)?.isDirty);
    const own = item && docs.find((one) => one.item === item && isIn(this.session, one));
    const isUnsaved = docs.includes(doc) || doc?.isRecovered;
    if (isUnsaved && doc !== own && !(await this.leave(doc))) return false;
    if (!own || own.base === UNKNOWN_BASE) return true;
    if (own.id !== this.#shown) await this.#open(own, textOf(own).getText());
    return false;
  }

  async #close(doc) {
    doc.state = 'closing';
    await textOf(doc)?.save(); // so that VS Code does not ask about text that was settled elsewhere
    await closeTabs(doc);
    this.#forget(doc);
  }

  #forget(doc) {
    this.#documents.delete(`${doc.uri}`);
    this.#problems.delete(doc.uri);
    this.#record();
  }

  #tabClosed(tab) {
    const doc = this.#docAt(tab.input?.uri);
    // One side of a diff may be closed and shown again; that decides nothing.
    if (!doc || doc.side || doc.state === 'closing' || tabsOf(doc).length) return;
    this.leave(doc).catch(this.report);
  }

  /** Closes a text, which VS Code asks about if it is unsaved, and goes back; false if the user stays. */
  async leave(doc = this.front[0]) {
    return (await closeTabs(doc)) && (doc.leaving ??= this.#goBack(doc)); // VS Code reports closed tabs, too
  }

  async #goBack(doc) {
    const { front } = this.session;
    const back = doc.id === formOf(this.session) && roleOf(front.actions, 'back');
    if (back?.confirm && doc.isRecovered && !(await ask(back.confirm, front, back.title))) {
      doc.leaving = undefined;
      return void (await this.show());
    }
    doc.state = 'closing';
    this.#forget(doc);
    if (back) await this.session.ask('act', front, { action: back.name });
    return true;
  }

  /** Does an action. The decision about a comparison closes its editors, and that of the text that it is about. */
  async act(screen, params) {
    const docs = [...this.#documents.values()].map((doc) => [doc, textOf(doc)?.getText()]);
    const ended = docs.filter(([{ id, sent }, text]) => id === this.#shown || (text && text === sent));
    const result = await this.session.ask('act', screen, params);
    for (const [doc, text] of layoutOf(screen) === 'compare' && result.outcome !== 'asks' ? ended : []) {
      if (!this.#isHeld(doc) && textOf(doc)?.getText() === text) this.#close(doc).catch(this.report);
    }
    return result;
  }

  /** `reason` if it was undone or redone. To VS Code a text that it has read again is an edit, which undo reverts. */
  #textChanged(doc, reason) {
    if (!doc) return;
    const version = reason && doc.versions.get(withLF(textOf(doc).getText()));
    if (version && namesOf(version) !== namesOf(doc)) Object.assign(doc, version);
    this.#adopt(doc);
    doc.unsentSince = doc.timer ? doc.unsentSince : Date.now();
    if (Date.now() - doc.unsentSince > UNSENT_MS) return;
    clearTimeout(doc.timer);
    doc.timer = setTimeout(() => this.tell(doc), TYPING_MS);
  }

  /** Records what VS Code itself does not keep of unsaved text: the stored fields and their version. */
  #record() {
    const unsaved = [...this.#documents.values()].filter((doc) => textOf(doc)?.isDirty ?? doc.state === 'away');
    this.records.update(UNSAVED, unsaved.map(({ uri: { path, query }, id, screen, name, side, fields, base, item }) => {
      return { path, query, id, screen, name, side, fields, base, item };
    }));
  }

  /** Sends the edits to the server, which checks them, and from then on warns of changes elsewhere. */
  async tell(doc = this.front[0]) {
    clearTimeout(doc.timer);
    doc.timer = undefined;
    this.#record();
    const document = textOf(doc);
    const isTold = doc.state === 'typed' || (doc.state === 'clean' && document?.isDirty);
    if (!document || !isTold || doc.isAwaited || doc.id !== formOf(this.session)) return;
    const { front } = this.session;
    const isReverted = !document.isDirty;
    // The form of a reverted text is opened again: it shows the newest text.
    const back = isReverted && !doc.side && !doc.isRecovered && roleOf(front.actions, 'back');
    const state = back ? 'reverting' : 'typed';
    Object.assign(doc, { state }, back && { told: new Set() });
    if (back) await this.session.ask('act', front, { action: back.name }).catch(this.report);
    const values = editsOf(doc, document.getText());
    const params = { values, base: doc.base, open: Boolean(back) };
    await this.session.ask('change', front, params).catch(() => {}); // saving says it again
    if (!isReverted || doc.state !== state) return;
    doc.state = 'clean';
    this.render();
  }

  // The file system

  watch = () => new vscode.Disposable(() => {});
  readDirectory = () => [];
  createDirectory = () => this.#find();
  delete = this.createDirectory;
  rename = this.createDirectory;

  stat(uri) {
    const { stored: { fields }, mtime, permissions } = this.#find(uri);
    return { type: vscode.FileType.File, ctime: 0, mtime, size: Buffer.byteLength(compose(fields)), permissions };
  }

  readFile(uri) {
    const doc = this.#find(uri);
    const text = compose(doc.stored.fields);
    remember(doc, text, doc.stored);
    // VS Code ignores the result for an open text if the user types meanwhile.
    if (!textOf(doc)) Object.assign(doc, doc.stored);
    return Buffer.from(text);
  }

  writeFile(uri, content) {
    return (this.#lastSave = this.#lastSave.catch(() => {}).then(() => this.#write(this.#find(uri), content)));
  }

  async #write(doc, content) {
    if (doc.state === 'closing') return;
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content);
    doc.state = 'saving';
    if (!doc.versions.has(withLF(text))) remember(doc, text, doc);
    await this.#save(doc, text).catch(async (error) => {
      doc.state = formOf(this.session) === doc.id ? 'typed' : 'away';
      this.#textChanged(doc); // a refused save has told the server nothing
      // A comparison is announced with its decisions; VS Code would show another error beside it.
      if (error.isAnnounced && (await touchText(doc))) return;
      throw vscode.FileSystemError.Unavailable(plain(error.message));
    });
  }

  #find(uri) {
    const doc = this.#docAt(uri);
    if (!doc) throw vscode.FileSystemError.Unavailable(OPEN_FIRST); // if it were not found, VS Code would create it
    return doc;
  }

  /** Sends a text to its form, which is opened again if it is not in front. */
  #open(doc, text) {
    const { screen, base } = doc;
    if (doc.side || formOf(this.session) !== doc.id) doc.fields.forEach((field) => doc.told.add(field.name));
    const params = { screen, values: editsOf(doc, text), base, open: true };
    return within(this.session.saveMS, this.session.request('screen/change', params));
  }

  /** `isUnasked` if the server refused to save before its question about this text was asked. */
  async #save(doc, text, isUnasked = false) {
    const session = this.session;
    // A second save meanwhile would meet the first one as a change made elsewhere.
    if (doc.isAwaited) throw new Error('The last save has no answer yet.');
    if (session.state === 'new') await session.start();
    const isAway = formOf(session) !== doc.id;
    const canOpen = shownScreen(session)?.body.kind === 'list' && doc.base !== UNKNOWN_BASE;
    if (isAway && !canOpen) throw new Error(OPEN_FIRST);
    // Its question depends on the newest edits.
    if (isAway || doc.side || isUnasked || saveOf(session.front).confirm) await this.#open(doc, text);
    const { front } = session;
    const { name, title, confirm } = saveOf(front);
    if (confirm && !(await ask(confirm, front, title))) throw new Error('Nothing was saved.');
    // The decision is about the sides that were shown with the question, if there was one.
    const base = doc.side ? front.body.base : doc.base ?? front.body.base;
    const params = { action: name, values: editsOf(doc, text), base, stay: !doc.side };
    doc.isAwaited = true;
    const answer = this.act(front, params).finally(() => (doc.isAwaited = false));
    let result;
    try {
      result = await within(session.saveMS, answer);
    } catch (error) {
      if (error.data?.reason === 'unconfirmed' && !isUnasked) return this.#save(doc, text, true);
      const told = plain(`“${doc.name}” is saved now.`);
      const tell = (late) => this.#saved(doc, text, late) && vscode.window.showInformationMessage(told);
      if (error.isLate) answer.then(tell).catch(this.report).then(() => this.#textChanged(doc));
      throw error;
    }
    if (this.#saved(doc, text, result)) return;
    const { title: asks, message } = session.front;
    const isAnnounced = layoutOf(session.front) === 'compare' && Boolean(message);
    throw Object.assign(new Error(`${asks}: ${message?.text ?? ''}`), { isAnnounced });
  }

  /** Whether a text is stored that the server was asked to store: not if it asks for a decision first. */
  #saved(doc, text, { outcome, base = doc.base }) {
    const { front } = this.session;
    // A comparison that came instead has to be settled first, and settles this text.
    if (outcome === 'asks' && layoutOf(front) === 'compare') doc.sent = text;
    if (outcome === 'asks' || formOf(this.session) !== doc.id) return outcome !== 'asks';
    // Newer edits are based on the stored version, not on one that is newer still.
    const [fields] = documentsOf(front);
    rebase(doc, { fields, base });
    return true;
  }

  /** VS Code knows that a text is saved: now what the server shows is for it again. */
  #isSaved(doc) {
    if (doc?.state === 'saving') doc.state = 'clean';
    this.render();
  }
}

/** Whether a document is being saved, reverted or closed. A rendering does not change it meanwhile. */
const isBusy = ({ state }) => ['saving', 'reverting', 'closing'].includes(state);

module.exports = { Forms };
