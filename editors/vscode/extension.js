'use strict';

// A front-end of todo-server: it draws what the server describes and sends back what the user did.

const { execFile } = require('node:child_process');
const vscode = require('vscode');
const { Forms } = require('./lib/forms');
const { Session } = require('./lib/session');
const { Presser, askField } = require('./lib/ask');
const { ActionView, ScreenView, Status } = require('./lib/views');

const DOCTOR_MS = 20_000;
const CHANGED_MEANWHILE = -32801;

let session;

function activate(context) {
  const log = vscode.window.createOutputChannel('Todo');
  const report = (error) => showError(log, error);
  session = new Session(serverCommand, {
    log: (text) => log.append(text),
    render: () => render(),
    busy: () => status.render(),
    died: (reason) => died(log, reason),
  });
  const forms = new Forms(session, report);
  const list = new ScreenView(session);
  const actions = new ActionView(session);
  const status = new Status(session);
  const presser = new Presser(session, forms, list);
  const announce = announcer();
  const render = () => {
    for (const part of [forms, list, actions, status]) part.render();
    announce(session.front, session.frontKey);
    list.window().catch(report);
  };
  const parts = { log, forms, list, presser };
  for (const [name, run] of Object.entries(commands(parts))) {
    const guarded = (...args) => Promise.resolve(run(...args)).catch(report);
    context.subscriptions.push(vscode.commands.registerCommand(name, guarded));
  }
  for (const part of [forms, list, actions, status]) context.subscriptions.push(...part.subscriptions);
  context.subscriptions.push(log);
}

async function deactivate() {
  await session?.stop();
}

function serverCommand() {
  const command = vscode.workspace.getConfiguration('todo').get('server.command');
  if (!command?.length) throw new Error('The setting todo.server.command is empty.');
  return command;
}

function commands({ log, forms, list, presser }) {
  return {
    'todo.open': async () => {
      await vscode.commands.executeCommand('todo.screen.focus');
      await session.start();
      if (!(await forms.show())) await presser.fill();
    },
    'todo.act': (row) => presser.choose(row?.id),
    'todo.fill': () => presser.fill(),
    'todo.back': () => session.front?.bar.left && presser.press(session.front.bar.left),
    'todo.press': (name, item) => presser.press(name, item),
    'todo.field': (name) => askField(session, name),
    'todo.more': () => list.more(),
    'todo.restart': () => session.restart(),
    'todo.doctor': () => doctor(log),
    'todo.log': () => log.show(),
  };
}

/** Shows a warning or an error of a screen once, for the view may be out of sight. */
function announcer() {
  let last = '';
  return (screen, key) => {
    const { level, text } = screen?.message ?? {};
    const now = text && level !== 'info' ? `${key} ${text}` : '';
    if (now && now !== last) vscode.window[level === 'error' ? 'showErrorMessage' : 'showWarningMessage'](text);
    last = now;
  };
}

function showError(log, error) {
  if (error.message === session.reason) return; // the end of the server was told already
  log.appendLine(error.message);
  if (error.code === CHANGED_MEANWHILE) vscode.window.showInformationMessage(error.message);
  else if (error.message !== session.front?.message?.text) vscode.window.showErrorMessage(error.message);
}

async function died(log, reason) {
  log.appendLine(reason);
  const choices = { 'Restart Server': 'todo.restart', 'Show Log': 'todo.log' };
  const choice = await vscode.window.showErrorMessage(`Todo: ${reason}`, ...Object.keys(choices));
  if (choice) await vscode.commands.executeCommand(choices[choice]);
}

/** Runs the server's own check of itself, with the options of the setting. */
function doctor(log) {
  const [program, ...options] = serverCommand();
  const args = ['doctor', ...options.filter((option) => option !== 'serve')];
  log.show();
  return new Promise((resolve) => {
    execFile(program, args, { timeout: DOCTOR_MS }, (error, stdout, stderr) => {
      const output = [stdout, stderr].map((text) => text.trim()).filter(Boolean).join('\n');
      log.appendLine(`${[program, ...args].join(' ')}\n${output || error?.message || ''}`);
      if (error) vscode.window.showErrorMessage(`Todo: ${(output || error.message).split('\n').pop()}`);
      resolve();
    });
  });
}

module.exports = { activate, deactivate };
