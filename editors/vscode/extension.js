'use strict';

// A front-end of todo-server: it draws what the server describes and sends back what the user did.

const { execFile } = require('node:child_process');
const { promisify } = require('node:util');
const vscode = require('vscode');
const { Presser } = require('./lib/ask');
const { Forms } = require('./lib/forms');
const { Session } = require('./lib/session');
const { Views } = require('./lib/views');

const DOCTOR_MS = 20_000;
const CHANGED_MEANWHILE = -32801;

let session;

function activate({ subscriptions }) {
  const log = vscode.window.createOutputChannel('Todo');
  const report = (error) => showError(log, error);
  session = new Session(serverCommand, {
    log: (text) => log.append(text),
    render: () => [forms, views].forEach((part) => part.render()),
    died: (reason) => died(log, reason),
  });
  const forms = new Forms(session, report);
  const views = new Views(session);
  const presser = new Presser(session, forms, views);
  const commands = {
    'todo.open': async () => {
      await vscode.commands.executeCommand('todo.screen.focus');
      await session.start();
      await forms.show();
    },
    'todo.act': (row) => views.toActions(row),
    'todo.back': () => session.front?.bar.left && presser.press(session.front.bar.left),
    'todo.press': (name, item) => presser.press(name, item),
    'todo.field': (name) => presser.ask(name),
    'todo.more': () => session.more(),
    'todo.restart': () => session.stop().then(() => session.start()),
    'todo.doctor': () => doctor(log),
  };
  for (const [name, run] of Object.entries(commands)) {
    const guarded = (...args) => (async () => run(...args))().catch(report);
    subscriptions.push(vscode.commands.registerCommand(name, guarded));
  }
  subscriptions.push(log, ...forms.subscriptions, ...views.subscriptions);
}

async function deactivate() {
  await session?.stop();
}

function serverCommand() {
  const command = vscode.workspace.getConfiguration('todo').get('server.command');
  if (!command?.length) throw new Error('The setting todo.server.command is empty.');
  return command;
}

function showError(log, error) {
  if (error.message === session.reason) return; // the end of the server was told already
  log.appendLine(error.message);
  // The newest rendering shows what was done instead, and perhaps the very sentence.
  if (error.code === CHANGED_MEANWHILE || error.message === session.front?.message?.text) return;
  vscode.window.showErrorMessage(error.message);
}

async function died(log, reason) {
  log.appendLine(reason);
  const choice = await vscode.window.showErrorMessage(`Todo: ${reason}`, 'Restart Server');
  if (choice) await vscode.commands.executeCommand('todo.restart');
}

/** Shows the server's own check of itself, with the options of the setting. */
async function doctor(log) {
  const [program, ...args] = [...serverCommand(), 'doctor'];
  log.show();
  const ending = promisify(execFile)(program, args, { timeout: DOCTOR_MS }).catch((error) => error);
  const { stdout = '', stderr = '', message } = await ending;
  log.appendLine(`${[program, ...args].join(' ')}\n${`${stdout}${stderr}`.trim() || message}`);
}

module.exports = { activate, deactivate };
