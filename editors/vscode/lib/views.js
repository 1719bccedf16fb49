'use strict';

const vscode = require('vscode');
const { rowsOf, shownScreen } = require('./text');

/** The two views in the side bar and the item in the status bar: what there is of the screen, and what it offers. */
class Views {
  #session;
  #announced;
  #changed = new vscode.EventEmitter();
  #status = vscode.window.createStatusBarItem('todo.status', vscode.StatusBarAlignment.Left);

  constructor(session) {
    this.#session = session;
    this.view = this.#tree('todo.screen', () => this.#rows());
    this.#status.name = 'Todo';
    this.#status.command = 'todo.open';
    const actions = this.#tree('todo.actions', () => (session.front?.actions ?? []).map(actionRow));
    this.subscriptions = [this.view, actions, this.#status, this.#changed];
  }

  #tree(id, rows) {
    const getChildren = () => {
      if (this.#session.state === 'running') return rows();
      // Nothing runs before somebody looks; after a crash it waits for a restart.
      if (this.#session.state === 'new') this.#session.start();
      return [];
    };
    const { event: onDidChangeTreeData } = this.#changed;
    const treeDataProvider = { onDidChangeTreeData, getChildren, getTreeItem: (row) => row, getParent() {} };
    return vscode.window.createTreeView(id, { treeDataProvider });
  }

  #rows() {
    const { body, actions } = shownScreen(this.#session);
    if (body.kind !== 'list') return rowsOf({ body }).map(fieldRow);
    const main = actions.find(({ scope }) => scope === 'item');
    const rest = body.total - body.items.length;
    const more = rest ? [button(`${rest} more…`, 'ellipsis', 'todo.more')] : [];
    return [...body.items.map((item) => itemRow(item, main)), ...more];
  }

  /** Goes to the actions, with a row selected if it is given: a menu of VS Code is fixed in its manifest. */
  async toActions(row) {
    if (row) await this.view.reveal(row, { select: true });
    await vscode.commands.executeCommand('todo.actions.focus');
  }

  /** The item of the row that is selected, if it is a row of the screen in front. */
  get selected() {
    const id = this.view.selection[0]?.id;
    return this.#session.front?.body.items?.find((item) => item.id === id)?.id;
  }

  render() {
    const { state, front } = this.#session;
    const screen = state === 'running' && front ? shownScreen(this.#session) : undefined;
    this.view.title = screen?.title ?? 'Todo';
    this.view.description = screen?.body.kind === 'list' ? `${screen.body.total}` : '';
    this.view.message = screen && sentences(front, screen).join(' ');
    vscode.commands.executeCommand('setContext', 'todo.state', state);
    this.#changed.fire();
    const icon = state === 'starting' || front?.body.kind === 'progress' ? 'sync~spin' : 'checklist';
    this.#status.text = state === 'stopped' ? '$(error) Todo' : `$(${icon}) ${front?.title ?? 'Todo'}`;
    this.#status.show();
    this.#announce(front);
  }

  /** Shows a warning or an error of a screen once, for the view may be out of sight. */
  #announce({ name, message } = {}) {
    const { level, text } = message ?? {};
    const show = { error: vscode.window.showErrorMessage, warning: vscode.window.showWarningMessage }[level];
    const news = show && `${name} ${text}`;
    if (show && news !== this.#announced) show(text);
    this.#announced = news;
  }
}

/** What there is to be read above the rows. */
function sentences(front, { body }) {
  const { kind, text, done, total, items, empty } = body;
  const count = kind === 'progress' ? [done, total].filter((one) => one !== undefined).join('/') : '';
  return [front.message?.text, text, count, items?.length ? '' : empty].filter(Boolean);
}

function itemRow({ id, title, detail, badge, checked }, main) {
  const description = [detail, badge].filter(Boolean).join(' · ');
  const row = main ? button(title, '', 'todo.press', main.name, id) : new vscode.TreeItem(title);
  // The id keeps the selection with its item.
  Object.assign(row, { id, description, tooltip: `${title}\n${description}`.trim(), contextValue: 'item' });
  row.iconPath = checked === undefined ? undefined : new vscode.ThemeIcon(checked ? 'pass' : 'circle-large-outline');
  const label = checked === undefined ? title : `${title}, ${checked ? 'checked' : 'not checked'}`;
  return Object.assign(row, { accessibilityInformation: { label } });
}

function fieldRow({ name, label, value, secret, error }) {
  const row = button(label, error ? 'warning' : 'edit', 'todo.field', name);
  return Object.assign(row, { description: secret ? '***' : value, tooltip: error });
}

function actionRow({ name, title, enabled, scope }) {
  const row = button(title, enabled ? 'chevron-right' : 'circle-slash', 'todo.press', name);
  const description = enabled ? { item: 'selected row' }[scope] : 'not now';
  return Object.assign(row, { id: name, description });
}

function button(label, icon, command, ...args) {
  const row = new vscode.TreeItem(label);
  row.iconPath = new vscode.ThemeIcon(icon);
  row.command = { command, title: label, arguments: args };
  return row;
}

module.exports = { Views };
