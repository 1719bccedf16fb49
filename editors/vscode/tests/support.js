'use strict';

// One VS Code (the stub) with the extension and a real server, in a home of its own.

const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const manifest = require('../package.json');
const { shownScreen } = require('../lib/screens');

const ROOT = path.join(__dirname, '..');
const WAIT_MS = 120_000; // bounds a hang, and nothing else
/** The command of a server that `toy.js` describes. */
const toy = (...args) => [process.execPath, path.join(__dirname, 'toy.js'), ...args];
const SERVER = (process.env.TODO_SERVER || 'todo-server').split(' ');

async function until(condition, what) {
  const end = Date.now() + WAIT_MS;
  for (;;) {
    const value = await condition();
    if (value) return value;
    if (Date.now() > end) assert.fail(`waited in vain for: ${what ?? condition}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** A folder, as a rule a fresh one, and the variables that keep the server inside it. */
function home(folder = fs.mkdtempSync(path.join(os.tmpdir(), 'todo-vscode-'))) {
  Object.assign(process.env, { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder });
  return folder;
}

function unload(folder) {
  for (const file of Object.keys(require.cache)) if (file.startsWith(folder)) delete require.cache[file];
}

/** A VS Code that has loaded the extension afresh; nothing is running yet. */
async function editor(t, command, at) {
  const folder = home(at);
  unload(ROOT);
  const vscode = require('vscode');
  const { desk } = vscode;
  desk.configuration['todo.server.command'] = command ?? [...SERVER, '--store', `sqlite:${folder}/todos.sqlite`];
  let extension;
  let session;
  // The state that VS Code stores for the extension, as JSON.
  const stored = new Map();
  const workspaceState = {
    get: (name, otherwise) => (stored.has(name) ? JSON.parse(stored.get(name)) : otherwise),
    update: async (name, value) => void stored.set(name, JSON.stringify(value)),
  };
  const context = { subscriptions: [], workspaceState };
  const load = async () => {
    extension = require('../extension');
    const { Session } = require('../lib/session');
    const start = Session.prototype.start;
    session = undefined;
    Session.prototype.start = function () {
      session = this;
      session.saveMS = WAIT_MS;
      return start.call(this);
    };
    await extension.activate(context);
  };
  await load();
  const run = (name, ...args) => vscode.commands.executeCommand(name, ...args);
  const ed = {
    vscode, desk, folder, run, context,
    get session() {
      return session;
    },
    end: async () => {
      await extension.deactivate();
      for (const one of context.subscriptions.splice(0)) one.dispose();
    },
    /** Does what `Reload Window` does; `forgets` if VS Code has lost the extension's state. */
    reload: async ({ forgets = false } = {}) => {
      await ed.end();
      desk.reload(forgets);
      if (forgets) stored.clear();
      for (const file of ['extension.js', 'lib']) unload(path.join(ROOT, file));
      await load();
    },
    /** Presses a key in the view, with the cursor on a row. */
    press: async (name, label) => {
      desk.cursor = (await ed.rows()).find((row) => row.label === label);
      const { command, args, when } = manifest.contributes.keybindings.find(({ key }) => key === name);
      assert.ok(desk.holds(when, { focusedView: 'todo.screen' }), `${name} has no meaning now`);
      await run(command, ...(args ? [args] : []));
    },
    /** Chooses a command from a menu, in that of a row for the row, with the arguments that VS Code gives it. */
    menu: async (name, command, row) => {
      const args = desk.argumentsIn(name, command, row);
      assert.ok(args, `${command} is not in ${name} now`);
      await run(command, ...args);
    },
    rows: (view = 'todo.screen') => desk.views[view].rows(),
    titles: async (view) => (await ed.rows(view)).map((row) => row.label),
    view: () => desk.views['todo.screen'].view,
    /** The commands of the buttons in the view: welcome text is in a view without rows and without any message only. */
    buttons: async () => {
      const rows = await ed.rows();
      if (ed.session.state === 'running' && ed.session.front.body.kind === 'form') {
        for (const row of rows) if (!row.command) assert.fail(`a row without a command: ${row.label}`);
        if (rows.length) return rows.map(({ command }) => command.command);
      }
      const isBare = ed.view().message === undefined && !rows.length;
      const shown = isBare ? manifest.contributes.viewsWelcome.filter(({ when }) => desk.holds(when)) : [];
      return shown.flatMap(({ contents }) => [...contents.matchAll(/\(command:(.*?)\)/g)].map(([, name]) => name));
    },
    select: async (label) => {
      ed.view().selection = (await ed.rows()).filter((row) => row.label === label);
      return ed.view().selection[0];
    },
    click: async (label, view) => {
      const row = (await ed.rows(view)).find((one) => one.label === label);
      assert.ok(row?.command, `no row “${label}” that can be clicked: ${await ed.titles(view)}`);
      await run(row.command.command, ...row.command.arguments);
    },
    logIn: async (name = 'ann', password = '') => {
      ed.answer(name, password);
      await ed.run('todo.login');
      await until(() => ed.session.front.body.kind === 'list', 'the list');
    },
    /** Saves a text as the user does, which leads to a comparison: the text stays unsaved, and VS Code shows no error. */
    asks: async (document) => {
      const text = document.getText();
      assert.equal(await document.save(), false);
      assert.ok(desk.shown.some(([kind]) => kind === 'warning') && !ed.said('Failed to save'), desk.shown.join());
      assert.deepEqual([document.getText(), document.isDirty], [text, true]);
    },
    /** All that the screen offers: its menu, given up. */
    offered: async () => {
      let items = [];
      desk.answers.unshift((question) => void (items = question.items));
      await run('todo.act');
      return items;
    },
    /** Chooses an action in the menu of all of them. */
    act: async (label) => {
      desk.answers.unshift(({ items }) => items.find((item) => item.label === label)
        ?? assert.fail(`no action “${label}”: ${items.map((item) => item.label)}`));
      await run('todo.act');
    },
    can: (role) => desk.contexts[`todo.can.${role}`],
    tick: async (label) => {
      const row = (await ed.rows()).find((one) => one.label === label);
      const isDone = Boolean(row.checkboxState.state);
      desk.views['todo.screen'].tick(row);
      await until(() => shownScreen(session).body.items.find(({ id }) => id === row.id)?.checked !== isDone);
    },
    isTicked: async (label) => (await ed.rows()).find((one) => one.label === label).checkboxState.state === 1,
    answer: (...answers) => desk.answers.push(...answers.map((one) => (typeof one === 'function' ? one : () => one))),
    document: () => until(() => desk.documents.find((document) => `${desk.active?.input.uri}` === `${document.uri}`)),
    said: (text) => desk.shown.some(([, shown]) => shown.includes(text)),
    onTitle: (title) => until(() => ed.view().title === title && session.state === 'running', `“${title}”`),
  };
  // Node calls such functions in the order of their registration: a server that still ran would write to the folder.
  t.after(async () => {
    await ed.end();
    fs.rmSync(folder, { recursive: true, force: true });
    assert.deepEqual(desk.unanswered, []);
  });
  return ed;
}

/** An editor with a list in front. */
async function loggedIn(t, { add = [] } = {}, command, at) {
  const ed = await editor(t, command, at);
  await ed.run('todo.show');
  await ed.logIn();
  for (const todo of add) await ed.session.request('addTodo', todo);
  return ed;
}

const MILK = { title: 'Buy milk', note: 'Two litres\nor three' };

/** An editor with a text, the first one that is added, and `stored()`, what the server has. */
async function opened(t, add = [MILK]) {
  const ed = await loggedIn(t, { add });
  await ed.click(add[0].title);
  ed.doc = await ed.document();
  ed.stored = async () => (await ed.session.request('listTodos', {})).todos;
  return ed;
}

module.exports = { MILK, ROOT, SERVER, assert, editor, fs, home, loggedIn, opened, path, toy, until };
