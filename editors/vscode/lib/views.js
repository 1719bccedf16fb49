'use strict';

const vscode = require('vscode');
const { plain, primaryOf, shownScreen } = require('./text');

const MINUTE_MS = 60_000;
const BAR = 20; // characters
const DIM_ROW = 'todo-dim-row'; // the scheme of the addresses by which VS Code colours rows
const [DIM, WARNING, ERROR] = ['disabledForeground', 'list.warningForeground', 'list.errorForeground']
  .map((name) => new vscode.ThemeColor(name));
const DOTS = { notice: WARNING, alert: ERROR };
/** What the manifest has commands, buttons and menus for: the roles of actions. */
const ROLES = ['open', 'toggle', 'create', 'remove', 'back', 'search', 'undo', 'redo', 'removed', 'restore', 'refresh',
  'retry', 'sync', 'login', 'logout', 'register', 'keep', 'take', 'merge', 'link'];

/** The view in the side bar and the item in the status bar. */
class Views {
  #session;
  #announced;
  #contexts = {};
  #selected;
  #changed = new vscode.EventEmitter();
  #status = vscode.window.createStatusBarItem('todo.status', vscode.StatusBarAlignment.Left);

  /** `toggle(item)` is called when a box was ticked. */
  constructor(session, toggle) {
    this.#session = session;
    const { event: onDidChangeTreeData } = this.#changed;
    const getChildren = () => {
      if (session.state === 'running') return this.#rows();
      // Nothing runs before somebody looks; after a crash it waits for a restart.
      if (session.state === 'new') session.start();
      return [];
    };
    const treeDataProvider = { onDidChangeTreeData, getChildren, getTreeItem: (row) => row, getParent() {} };
    this.view = vscode.window.createTreeView('todo.screen', { treeDataProvider, manageCheckboxStateManually: true });
    this.#status.name = 'Todo';
    this.#status.command = 'todo.show';
    const boxes = this.view.onDidChangeCheckboxState(({ items }) => items.forEach(([{ id }]) => toggle(id)));
    const provideFileDecoration = ({ scheme }) => (scheme === DIM_ROW ? { color: DIM } : undefined);
    const dimmed = vscode.window.registerFileDecorationProvider({ provideFileDecoration });
    const timer = setInterval(() => this.#drawStatus(), MINUTE_MS).unref();
    const clock = new vscode.Disposable(() => clearInterval(timer));
    this.subscriptions = [this.view, boxes, dimmed, clock, this.#status, this.#changed];
  }

  #rows() {
    const { body, actions } = shownScreen(this.#session);
    if (body.kind !== 'list') return [];
    const main = primaryOf({ actions }, 'item');
    const rest = body.total - body.items.length;
    const more = rest ? [rowOf(`${rest} more…`, 'todo.more', 2 * body.items.length)] : [];
    return [...body.items.map((item) => itemRow(item, main)), ...more];
  }

  /**
   * Selects the row with the cursor, and returns it. VS Code reports only the selection: the cursor is on the row that
   * `list.toggleSelection` adds to it or removes from it. `list.select` would open the row.
   */
  async selectRowWithCursor() {
    const before = this.view.selection;
    await vscode.commands.executeCommand('list.toggleSelection');
    const [fewer, more] = [before, this.view.selection].sort((one, other) => one.length - other.length);
    const row = more.find(({ id }) => !fewer.some((other) => other.id === id));
    if (row) await this.view.reveal(row, { select: true, focus: true });
    return row;
  }

  /** The item of the row that is given, or else of the one that is selected. */
  itemOf(row = this.view.selection[0]) {
    return shownScreen(this.#session)?.body.items?.find(({ id }) => id === row?.id);
  }

  render() {
    const { state, front } = this.#session;
    const screen = state === 'running' && front ? shownScreen(this.#session) : undefined;
    const told = screen && sentences(front, screen).map(plain).join(' ');
    // Beside a message, even an empty one, VS Code shows none of the buttons that a form has.
    const hasButtons = screen?.body.kind === 'form';
    this.view.title = plain(screen?.title ?? 'Todo');
    this.view.description = hasButtons ? told : `${screen?.body.total ?? ''}`;
    this.view.message = (!hasButtons && told) || undefined;
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
    const told = state === 'running' && front ? statusWords(shownScreen(this.#session).body.status) : [];
    const words = [plain(front?.title ?? 'Todo'), ...told].join(', ');
    this.#status.text = state === 'stopped' ? '$(error) Todo' : `$(${icon}) ${words}`;
    this.#status.show();
  }

  /** Shows a warning or an error of a screen once, for the view may be out of sight. */
  #announce({ message } = {}) {
    const show = { error: vscode.window.showErrorMessage, warning: vscode.window.showWarningMessage }[message?.level];
    if (show && message.id !== this.#announced) show(plain(message.text));
    this.#announced = message?.id;
  }

  /** Goes once to the row that the server says. */
  #select({ select, items = [] } = {}) {
    const item = select !== this.#selected && items.find(({ id }) => id === select);
    // A view that is out of sight would come into it.
    if (item && this.view.visible) Promise.resolve(this.view.reveal(itemRow(item), { select: true })).catch(() => {});
    this.#selected = select;
  }
}

/** What there is to be read above the rows. */
function sentences({ message }, { body }) {
  const { kind, text, items, empty } = body;
  const how = kind === 'progress' ? progressWords(body) : items?.length === 0 && empty;
  return [message?.text, text, how].filter(Boolean);
}

/** How far something is, with a bar where its end is known. */
function progressWords({ done, total }) {
  if (done === undefined || !total) return done;
  const full = Math.round((BAR * Math.min(done, total)) / total);
  return `${done}/${total} ${'█'.repeat(full)}${'░'.repeat(BAR - full)}`;
}

/** How a list stands towards its source, in words. */
function statusWords({ pending, conflicts, failed, syncedAt, retryAt } = {}) {
  const minutes = (time) => `${Math.round(Math.abs(Date.now() - Date.parse(time)) / MINUTE_MS)} min`;
  return [
    pending && `${pending} pending`,
    conflicts && `${conflicts} conflict${conflicts === 1 ? '' : 's'}`,
    failed && `${failed} failed`,
    syncedAt && `synced ${minutes(syncedAt)} ago`,
    Date.parse(retryAt) > Date.now() && `next try in ${minutes(retryAt)}`,
  ].filter(Boolean);
}

function itemRow({ id, title, detail, labels = [], badge, preview, checked, tone, url }, main) {
  const row = rowOf(title, ROLES.includes(main?.role) && `todo.${main.role}`, { id });
  const description = [detail, labels.map((label) => `#${label}`).join(' '), badge].filter(Boolean).map(plain).join(' · ');
  const tooltip = [row.label, description, preview && `\n${plain(preview, true)}`].filter(Boolean).join('\n');
  // The id keeps the selection with its item.
  Object.assign(row, { id, description, tooltip, contextValue: url ? 'item link' : 'item' });
  if (tone === 'muted') row.resourceUri = vscode.Uri.from({ scheme: DIM_ROW, path: `/${encodeURIComponent(id)}` });
  // Without an icon of its own, a row with an address has that of a file.
  row.iconPath = new vscode.ThemeIcon(DOTS[tone] ? 'circle-filled' : 'blank', DOTS[tone]);
  if (checked === undefined) return row;
  const { Checked, Unchecked } = vscode.TreeItemCheckboxState;
  return Object.assign(row, { checkboxState: checked ? Checked : Unchecked });
}

/** A row that does a command, if it is there, when it is clicked. */
function rowOf(title, command, ...args) {
  const row = new vscode.TreeItem(plain(title));
  return Object.assign(row, command && { command: { command, title: row.label, arguments: args } });
}

module.exports = { ROLES, Views };
