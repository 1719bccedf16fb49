'use strict';

// A front-end of todo-server: it draws what the server describes and sends back what the user did.

const { execFile } = require('node:child_process');
const { promisify } = require('node:util');
const vscode = require('vscode');
const { Presser } = require('./lib/ask');
const { setLanguage } = require('./lib/documents');
const { Forms } = require('./lib/forms');
const { shownScreen } = require('./lib/screens');
const { Session } = require('./lib/session');
const { plain } = require('./lib/text');
const { ROLES, Views } = require('./lib/views');

const DOCTOR_MS = 20_000;
/** The errors whose sentences are for people. */
const FOR_PEOPLE = [undefined, -32800, -32801, -32803];

let session;
let log;

function activate({ subscriptions, workspaceState }) {
  log = vscode.window.createOutputChannel('Todo');
  session = new Session(serverCommand, {
    log: (text) => log.append(text),
    render: () => [forms, views].forEach((part) => part.render()),
    died,
  });
  const forms = new Forms(session, showError, workspaceState);
  // VS Code has already drawn the tick: the row is drawn again, since the server may have refused it.
  const toggle = (id) => run(() => presser.pressRole('toggle', [{ id }])).then(() => views.render());
  const views = new Views(session, toggle);
  const presser = new Presser(session, forms, views);
  const run = (work) => (async () => work())().catch(showError);
  // A key is for the row with the cursor. A menu of the view names a row, and the selected ones if there are several;
  // one above a text names its URI and its group. Everything but a row is for the selected ones.
  const given = async (row, rows) => {
    if (row === 'cursor') return views.rowsOfKey();
    return Array.isArray(rows) ? rows : row?.id && [row];
  };
  const commands = {
    'todo.show': async () => {
      await vscode.commands.executeCommand('todo.screen.focus');
      await session.start();
      await forms.show();
    },
    'todo.act': async (...params) => presser.choose(await given(...params)),
    'todo.base': () => forms.show(true),
    'todo.more': (limit) => session.ask('window', shownScreen(session), { offset: 0, limit }),
    'todo.restart': () => session.stop().then(() => session.start()),
    'todo.doctor': doctor,
  };
  for (const role of ROLES) {
    commands[`todo.${role}`] = async (...params) => {
      const rows = await given(...params);
      // On a heading, Space does what VS Code does with it.
      const isHeading = role === 'toggle' && rows?.length && rows.every((row) => row.rows);
      await (isHeading ? vscode.commands.executeCommand('list.toggleExpand') : presser.pressRole(role, rows));
    };
  }
  for (const [name, work] of Object.entries(commands)) {
    subscriptions.push(vscode.commands.registerCommand(name, (...args) => run(() => work(...args))));
  }
  vscode.workspace.textDocuments.forEach(setLanguage);
  subscriptions.push(vscode.workspace.onDidOpenTextDocument(setLanguage), log, ...forms.subscriptions, ...views.subscriptions);
}

const deactivate = () => session?.stop();

function serverCommand() {
  const settings = vscode.workspace.getConfiguration('todo');
  const command = settings.get('server.command');
  if (!command?.length) throw new Error('The setting todo.server.command is empty.');
  return [...command, ...(settings.get('server.sources') ?? []).flatMap((source) => ['--source', source])];
}

function showError(error) {
  if (error.message === session.reason) return; // the end of the server was already reported
  log.appendLine(error.message);
  // The screen may show the same message.
  if (error.message === session.front?.message?.text) return;
  const isSentence = FOR_PEOPLE.includes(error.code) || typeof error.code === 'string';
  const told = isSentence ? error.message : `The extension and its server do not fit together (${error.message}).`;
  vscode.window.showErrorMessage(plain(told));
}

async function died(reason) {
  log.appendLine(reason);
  const choice = await vscode.window.showErrorMessage(plain(`Todo: ${reason}`), 'Restart Server');
  if (choice) await vscode.commands.executeCommand('todo.restart');
}

/** Shows the server's own check of itself, with the options of the settings. */
async function doctor() {
  const [program, ...args] = [...serverCommand(), 'doctor'];
  const progress = { location: vscode.ProgressLocation.Notification, title: 'Todo: checking the server…' };
  const ending = promisify(execFile)(program, args, { timeout: DOCTOR_MS }).catch((error) => error);
  const { stdout = '', stderr = '', message } = await vscode.window.withProgress(progress, () => ending);
  log.appendLine(`${[program, ...args].join(' ')}\n${`${stdout}${stderr}`.trim() || message}`);
  log.show();
}

module.exports = { activate, deactivate };
