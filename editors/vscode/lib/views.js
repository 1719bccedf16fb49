'use strict';

const vscode = require('vscode');
const { problemOf, rowsOf, shownScreen } = require('./text');

const PAGE = 500;
const SECRET = '•••';

/** Draws a screen as rows: the items of a list, or the fields of a form that are asked for one by one. */
class ScreenView {
  #session;
  #changed = new vscode.EventEmitter();
  onDidChangeTreeData = this.#changed.event;

  constructor(session) {
    this.#session = session;
    this.limit = PAGE;
    this.view = vscode.window.createTreeView('todo.screen', { treeDataProvider: this });
    this.subscriptions = [this.view, this.#changed];
  }

  getChildren() {
    if (this.#session.state !== 'running') {
      // Nothing runs before somebody looks; after a crash it waits for a restart.
      if (!this.wasStarted) this.#session.start();
      this.wasStarted = true;
      return [];
    }
    const screen = shownScreen(this.#session);
    if (screen?.body.kind !== 'list') return rowsOf(screen);
    const items = screen.body.items.slice(0, this.limit);
    return items.length < screen.body.total ? [...items, { more: screen.body.total - items.length }] : items;
  }

  getTreeItem(node) {
    if (node.more) return button(`${node.more} more…`, 'ellipsis', 'todo.more');
    return node.id === undefined ? fieldRow(node) : this.#itemRow(node);
  }

  #itemRow({ id, title, detail, badge, checked }) {
    const row = new vscode.TreeItem(title);
    row.id = id; // keeps the selection with its item
    row.description = [detail, badge].filter(Boolean).join(' · ');
    row.tooltip = [title, row.description].filter(Boolean).join('\n');
    row.contextValue = 'item';
    if (checked !== undefined) {
      row.iconPath = new vscode.ThemeIcon(checked ? 'pass' : 'circle-large-outline');
      row.accessibilityInformation = { label: `${title}, ${checked ? 'checked' : 'not checked'}` };
    }
    const action = shownScreen(this.#session)?.actions.find((one) => one.scope === 'item');
    if (action) row.command = { command: 'todo.press', title: action.title, arguments: [action.name, id] };
    return row;
  }

  render() {
    const { state, front } = this.#session;
    const screen = shownScreen(this.#session);
    this.view.title = state === 'running' && screen ? screen.title : 'Todo';
    this.view.description = screen?.body.kind === 'list' ? `${screen.body.total}` : '';
    this.view.message = state === 'running' && front ? sentences(front, screen).join(' ') : '';
    this.#changed.fire();
  }

  /** Asks for the part of a long list that is shown, where the server can send parts. */
  async window() {
    const { front, frontKey, hasWindows, state } = this.#session;
    if (state !== 'running' || front?.body.kind !== 'list') return;
    if (frontKey !== this.listKey) [this.listKey, this.limit, this.asked] = [frontKey, PAGE, 0];
    if (!hasWindows || this.asked === this.limit || front.body.total <= PAGE) return;
    this.asked = this.limit;
    await this.#session.window(this.limit);
  }

  async more() {
    this.limit *= 2;
    await this.window();
    this.render();
  }

  /** The item of the row that is selected, if the list is in front. */
  get selected() {
    const id = this.view.selection[0]?.id;
    return this.#session.front?.body.items?.some((item) => item.id === id) ? id : undefined;
  }
}

/** What there is to be read above the rows. */
function sentences(front, screen) {
  const { kind, text, done, total, items, empty } = screen.body;
  const bodies = {
    form: [],
    list: items?.length ? [] : [empty],
    progress: [text, done === undefined ? '' : [done, total].filter((count) => count !== undefined).join('/')],
  };
  return [front.message?.text, ...(bodies[kind] ?? [`This version cannot draw “${kind}”.`])].filter(Boolean);
}

function fieldRow(field) {
  const row = button(field.label, field.error ? 'warning' : 'edit', 'todo.field', field.name);
  row.description = field.secret ? SECRET : field.value;
  row.tooltip = field.error;
  return row;
}

function button(label, icon, command, ...args) {
  const row = new vscode.TreeItem(label);
  row.iconPath = new vscode.ThemeIcon(icon);
  row.command = { command, title: label, arguments: args };
  return row;
}

/** Every action of the screen in front: a menu of VS Code is fixed in the manifest, and the server names its own. */
class ActionView {
  #session;
  #changed = new vscode.EventEmitter();
  onDidChangeTreeData = this.#changed.event;

  constructor(session) {
    this.#session = session;
    this.subscriptions = [vscode.window.registerTreeDataProvider('todo.actions', this), this.#changed];
  }

  getChildren() {
    return this.#session.state === 'running' ? this.#session.front?.actions ?? [] : [];
  }

  getTreeItem({ name, title, enabled, scope }) {
    const { left, right } = this.#session.front?.bar ?? {};
    const icon = { [left]: 'arrow-left', [right]: 'check' }[name] ?? 'chevron-right';
    const row = button(title, enabled ? icon : 'circle-slash', 'todo.press', name);
    if (!enabled) row.command = undefined;
    row.description = enabled ? (scope === 'item' ? 'selected row' : '') : 'not now';
    return row;
  }

  render() {
    this.#changed.fire();
  }
}

/** The status bar, the spinner of the view, and what the manifest's `when` clauses ask for. */
class Status {
  #session;
  #contexts = {};

  constructor(session) {
    this.#session = session;
    this.item = vscode.window.createStatusBarItem('todo.status', vscode.StatusBarAlignment.Left);
    this.item.name = 'Todo';
    this.item.command = 'todo.open';
    this.subscriptions = [this.item, { dispose: () => this.finished?.() }];
  }

  render() {
    const { state, front, isBusy } = this.#session;
    const waits = state === 'starting' || isBusy || front?.body.kind === 'progress';
    const dead = state === 'stopped';
    this.item.text = dead ? '$(error) Todo' : `$(${waits ? 'sync~spin' : 'checklist'}) ${front?.title ?? 'Todo'}`;
    this.item.tooltip = dead ? 'The server is not running.' : problemOf(front);
    this.item.backgroundColor = dead ? new vscode.ThemeColor('statusBarItem.errorBackground') : undefined;
    this.item.show();
    this.#spin(!dead && waits);
    this.#context('todo.state', state);
    this.#context('todo.canGoBack', !dead && Boolean(front?.bar.left));
    this.#context('todo.canFill', !dead && rowsOf(front).length > 0);
  }

  #spin(waits) {
    if (waits && !this.finished) {
      const location = { viewId: 'todo.screen' };
      vscode.window.withProgress({ location }, () => new Promise((resolve) => (this.finished = resolve)));
    } else if (!waits) {
      this.finished?.();
      this.finished = null;
    }
  }

  #context(name, value) {
    if (this.#contexts[name] === value) return;
    this.#contexts[name] = value;
    vscode.commands.executeCommand('setContext', name, value);
  }
}

module.exports = { ActionView, ScreenView, Status };
