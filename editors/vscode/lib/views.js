'use strict';

const vscode = require('vscode');
const { layoutOf, primaryOf, shownScreen } = require('./screens');
const { plain } = require('./text');

const MINUTE_MS = 60_000;
const STARTING = 'Starting the server…';
const BAR = 20; // characters
const DIM_ROW = 'todo-dim-row'; // the scheme of the addresses by which VS Code colours rows
const [DIM, WARNING, ERROR] = ['disabledForeground', 'list.warningForeground', 'list.errorForeground']
  .map((name) => new vscode.ThemeColor(name));
const DOTS = { notice: WARNING, alert: ERROR };
const NOTE = '≡'; // of a row with a note, which is in its tooltip
/** The roles of the decisions about a comparison. */
const DECISIONS = ['keep', 'take', 'merge'];
/** The roles of actions for which the manifest has commands, buttons and menus. */
const ROLES = ['open', 'toggle', 'create', 'remove', 'back', 'search', 'undo', 'redo', 'removed', 'restore', 'refresh',
  'retry', 'sync', 'login', 'logout', 'register', 'keep', 'take', 'merge', 'link'];

/** The view in the side bar and the item in the status bar. */
class Views {
  /** @type {import('./session').Session} */
  #session;
  /** @type {number | undefined} */
  #announced;
  /** @type {Record<string, string | boolean>} */
  #contexts = {};
  /** @type {string | undefined} */
  #selected;
  #changed = new vscode.EventEmitter();
  #status = vscode.window.createStatusBarItem('todo.status', vscode.StatusBarAlignment.Left);

  /**
   * `toggle` is called when the box of an item was ticked.
   * @param {import('./session').Session} session
   * @param {(id: string) => void} toggle
   */
  constructor(session, toggle) {
    this.#session = session;
    const { event: onDidChangeTreeData } = this.#changed;
    const getChildren = (heading) => {
      if (heading) return heading.rows;
      if (session.state === 'running') return this.#rows();
      // The server starts when the user opens the view; after a crash it waits for a restart.
      if (session.state === 'new') session.start();
      return [];
    };
    const getParent = ({ heading }) => heading;
    const treeDataProvider = { onDidChangeTreeData, getChildren, getTreeItem: (row) => row, getParent };
    const options = { treeDataProvider, manageCheckboxStateManually: true, canSelectMany: true };
    this.view = vscode.window.createTreeView('todo.screen', options);
    this.#status.name = 'Todo';
    this.#status.command = 'todo.show';
    const boxes = this.view.onDidChangeCheckboxState(({ items }) => items.forEach(([{ id }]) => toggle(id)));
    const provideFileDecoration = ({ scheme }) => (scheme === DIM_ROW ? { color: DIM } : undefined);
    const dimmed = vscode.window.registerFileDecorationProvider({ provideFileDecoration });
    const configured = vscode.workspace.onDidChangeConfiguration(() => this.#changed.fire());
    const timer = setInterval(() => this.#drawStatus(), MINUTE_MS).unref();
    const clock = new vscode.Disposable(() => clearInterval(timer));
    this.subscriptions = [this.view, boxes, dimmed, configured, clock, this.#status, this.#changed];
  }

  #rows() {
    const { body, actions, message } = shownScreen(this.#session);
    // Beside a message VS Code shows none of the buttons that a form has.
    const buttons = message ? actions.filter(({ enabled, role, primary }) => (enabled || primary) && ROLES.includes(role)) : [];
    if (body.kind === 'form') return buttons.map(({ title, role }) => rowOf(title, `todo.${role}`));
    if (body.kind !== 'list') return [];
    const rest = body.total - body.items.length;
    const more = rest ? [rowOf(`${rest} more…`, 'todo.more', 2 * body.items.length)] : [];
    return [...sectionRows(body.items, primaryOf({ actions }, 'item')), ...more];
  }

  /**
   * Returns the rows that a key is for: the selected ones if the cursor is on one of them, else that with the cursor,
   * which is selected then. VS Code reports only the selection: the cursor is on the row that `list.toggleSelection`
   * adds to it or removes from it. `list.select` would open the row.
   */
  async rowsOfKey() {
    const toggleSelection = () => vscode.commands.executeCommand('list.toggleSelection');
    const before = this.view.selection;
    await toggleSelection();
    const [fewer, more] = [before, this.view.selection].sort((one, other) => one.length - other.length);
    const row = more.find(({ id }) => !fewer.some((other) => other.id === id));
    if (row && more === before) await toggleSelection();
    else if (row) await this.view.reveal(row, { select: true, focus: true });
    return row && more !== before ? [row] : before;
  }

  /** The items of the rows that are given, or else of those that are selected. */
  itemsOf(rows = this.view.selection) {
    const ids = rows.map(({ id }) => id);
    return (shownScreen(this.#session)?.body.items ?? []).filter(({ id }) => ids.includes(id));
  }

  render() {
    const { state, front } = this.#session;
    const screen = state === 'running' && front ? shownScreen(this.#session) : undefined;
    const told = screen ? messages(front, screen).join(' ') : state === 'starting' && STARTING;
    const isList = screen?.body.kind === 'list';
    this.view.title = plain(screen?.title ?? 'Todo');
    this.view.message = told || undefined;
    this.view.badge = isList && screen.body.total ? badgeOf(screen.body) : undefined;
    this.#setContexts(state, screen && [...screen.actions, ...(screen === front ? [] : front.actions)]);
    this.#changed.fire();
    this.#drawStatus();
    this.#announce(front);
    this.#select(screen?.body);
  }

  #setContexts(state, actions = []) {
    const isOffered = (role) => actions.some((one) => one.role === role && (one.enabled || one.primary));
    const contexts = { 'todo.state': state };
    for (const role of ROLES) contexts[`todo.can.${role}`] = isOffered(role);
    for (const [name, value] of Object.entries(contexts)) {
      if (this.#contexts[name] !== value) vscode.commands.executeCommand('setContext', name, value);
    }
    this.#contexts = contexts;
  }

  #drawStatus() {
    const { state, front } = this.#session;
    const icon = state === 'starting' || front?.body.kind === 'progress' ? 'sync~spin' : 'checklist';
    const { body } = (state === 'running' && shownScreen(this.#session)) || {};
    const told = body ? [...countWords(body), ...statusWords(body.status)] : [];
    const words = [plain(front?.title ?? 'Todo'), ...told].join(', ');
    this.#status.text = state === 'stopped' ? '$(error) Todo' : `$(${icon}) ${words}`;
    this.#status.show();
  }

  /** Shows a warning or an error of a screen once, for the view may be out of sight; a conflict with its decisions. */
  async #announce(front) {
    const { message, actions } = front ?? {};
    const show = { error: vscode.window.showErrorMessage, warning: vscode.window.showWarningMessage }[message?.level];
    const isNew = message?.id !== this.#announced;
    this.#announced = message?.id;
    if (!show || !isNew) return;
    const isDecision = ({ role, enabled }) => layoutOf(front) === 'compare' && enabled && DECISIONS.includes(role);
    const decisions = actions.filter(isDecision);
    const choice = await show(plain(message.text), ...decisions.map(({ title }) => plain(title)));
    const decision = choice && decisions.find(({ title }) => plain(title) === choice);
    if (decision) await vscode.commands.executeCommand(`todo.${decision.role}`);
  }

  /** Goes once to the row that the server says. */
  #select(body) {
    const { select, items = [] } = body ?? {};
    const item = select !== this.#selected && items.find(({ id }) => id === select);
    // A view that is out of sight would come into it.
    const row = item && this.view.visible && sectionRows(items).flatMap((one) => one.rows ?? [one]).find(({ id }) => id === select);
    if (row) Promise.resolve(this.view.reveal(row, { select: true })).catch(() => {});
    this.#selected = select;
  }
}

/** The texts above the rows: a message, the progress, or the hint of an empty list. */
function messages({ message }, { body }) {
  const { kind, text, items, empty } = body;
  const how = kind === 'progress' ? progressWords(body) : items?.length === 0 && empty;
  return [message?.text, text, how].filter(Boolean).map((part) => plain(`${part}`));
}

/** The progress in words, with a bar if the total is known. */
function progressWords({ done, total }) {
  if (done === undefined || !total) return done;
  const full = Math.round((BAR * Math.min(done, total)) / total);
  return `${done}/${total} ${'█'.repeat(full)}${'░'.repeat(BAR - full)}`;
}

/** The sync state of a list, in words. */
function statusWords(status) {
  const { pending, conflicts, failed, syncedAt, retryAt } = status ?? {};
  const minutes = (time) => `${Math.round(Math.abs(Date.now() - Date.parse(time)) / MINUTE_MS)} min`;
  return [
    pending && `${pending} pending`,
    conflicts && `${conflicts} conflict${conflicts === 1 ? '' : 's'}`,
    failed && `${failed} failed`,
    syncedAt && `synced ${minutes(syncedAt)} ago`,
    Date.parse(retryAt) > Date.now() && `next try in ${minutes(retryAt)}`,
  ].filter(Boolean);
}

/** Whether the items are all of the list, and can be ticked off: only then are they counted. */
const isCounted = ({ items = [], total }) => items.length === total && items.some(({ checked }) => checked !== undefined);

function countWords(body) {
  if (!isCounted(body)) return body.total > body.items?.length ? [`${body.total} rows`] : [];
  const [open, done] = [false, true].map((is) => body.items.filter(({ checked }) => checked === is).length);
  return [`${open} open`, done && `${done} done`].filter(Boolean);
}

/** The number on the icon of the view: what is not done, or how long the list is. */
function badgeOf(body) {
  const value = isCounted(body) ? body.items.filter(({ checked }) => checked === false).length : body.total;
  return value ? { value, tooltip: [...countWords(body), ...statusWords(body.status)].join(', ') } : undefined;
}

/** The rows of items, below their headings; without any, done ones are below one of their own if the user wants that. */
function sectionRows(items, main) {
  const foldsDone = vscode.workspace.getConfiguration('todo').get('list.foldDone') && items.every(({ section }) => !section);
  /** @type {any[]} */
  const rows = [];
  const done = [];
  for (const item of items) {
    const { section, checked } = item;
    if (foldsDone && checked) done.push(item);
    else if (!section) rows.push(itemRow(item, main));
    else if (rows.at(-1)?.section === section) rows.at(-1).rows.push(itemRow(item, main, rows.at(-1)));
    else rows.push(headingRow(section, rows.length, [item], main));
  }
  return done.length ? [...rows, headingRow('Done', rows.length, done, main, true)] : rows;
}

function headingRow(section, number, items, main, isDone) {
  const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
  /** @type {any} */
  const heading = new vscode.TreeItem(plain(section), isDone ? Collapsed : Expanded);
  // No item has such an id. A done section keeps its own, wherever it is.
  Object.assign(heading, { id: `\n${isDone ? '' : number}${section}`, section, contextValue: 'heading' });
  heading.rows = items.map((item) => itemRow(item, main, heading, isDone));
  if (isDone) heading.description = `${items.length}`;
  return heading;
}

function itemRow({ id, title, detail, labels = [], badge, preview, checked, tone, url }, main, heading, isDim) {
  const row = rowOf(title, ROLES.includes(main?.role) && `todo.${main.role}`, { id });
  const words = [detail, labels.map((label) => `#${label}`).join(' '), badge].filter(Boolean).map((word) => plain(word));
  const description = [...words, preview && NOTE].filter(Boolean).join(' · ');
  const tooltip = [row.label, words.join(' · '), preview && `\n${plain(preview, true)}`].filter(Boolean).join('\n');
  const state = checked === undefined ? [] : [checked ? 'done' : 'not done'];
  const accessibilityInformation = { label: [row.label, ...state, ...words].join(', ') };
  // The id keeps the selection with its item.
  Object.assign(row, { id, heading, description, tooltip, accessibilityInformation });
  row.contextValue = url ? 'item link' : 'item';
  if (DOTS[tone]) row.iconPath = new vscode.ThemeIcon('circle-filled', DOTS[tone]);
  if (isDim) {
    row.resourceUri = vscode.Uri.from({ scheme: DIM_ROW, path: `/${encodeURIComponent(id)}` });
    row.iconPath ??= new vscode.ThemeIcon('check', DIM); // a row with an address and no icon has that of a file
  }
  if (checked === undefined) return row;
  const { Checked, Unchecked } = vscode.TreeItemCheckboxState;
  const box = { label: `${row.label}, ${state}`, role: 'checkbox' };
  row.checkboxState = { state: checked ? Checked : Unchecked, tooltip: `${state}`, accessibilityInformation: box };
  return row;
}

/**
 * A row that does a command, if it has one, when it is clicked.
 * @returns {any} a TreeItem
 */
function rowOf(title, command, ...args) {
  const row = new vscode.TreeItem(plain(title));
  return Object.assign(row, command && { command: { command, title: row.label, arguments: args } });
}

module.exports = { ROLES, Views };
