'use strict';

// vscode-jsonrpc would spare the few lines about JSON-RPC here, but it is an npm package and no part of VS Code:
// an extension without packages needs no build and no lock file.

const { spawn } = require('node:child_process');
const { setTimeout } = require('node:timers/promises');

const START_MS = 60_000; // a busy machine takes its time
const SAVE_MS = 5000;
const END_MS = 10_000; // the server gives itself 2 s, in which it keeps unsaved text
const WINDOW = 500;
const LAST_WORDS = 2000;

/**
 * One process of the server at a time, and what it shows. Knows nothing of VS Code.
 * `on` has `render()`, `died(reason)` and `log(text)`.
 */
class Session {
  /** @type {Map<number, { resolve: Function, reject: Function }>} */
  #pending = new Map();
  #lastId = 0;
  /** @type {string | undefined} */
  #failure;

  /**
   * @param {() => string[]} command
   * @param {{ render(): void, died(reason: string): void, log(text: string): void }} on
   */
  constructor(command, on) {
    /** @type {() => string[]} */
    this.command = command;
    this.on = on;
    /** @type {'new' | 'starting' | 'running' | 'stopped'} */
    this.state = 'new';
    /** Why the server ended, if it did. @type {string | undefined} */
    this.reason = undefined;
    /** @type {import('node:child_process').ChildProcess | undefined} */
    this.process = undefined;
    /** The start that is in progress. @type {Promise<void> | null} */
    this.starting = null;
    /** The screens as Protocol.md describes them, the bottom one first. @type {any[]} */
    this.stack = [];
    this.revision = 0;
    this.saveMS = SAVE_MS;
  }

  get front() {
    return this.stack.at(-1);
  }

  // The process

  /** Starts a server unless there is one; a failure is reported to `died`. */
  start() {
    return (this.starting ??= this.#start().finally(() => (this.starting = null)));
  }

  async #start() {
    if (this.state === 'running') return;
    Object.assign(this, { stack: [], revision: 0 });
    this.#become('starting');
    try {
      this.#spawn(this.command());
      const render = { frontOnly: true, window: WINDOW, preview: true };
      const options = { processId: process.pid, clientInfo: { name: 'vscode' }, capabilities: { render } };
      await within(START_MS, this.request('initialize', options));
      this.#send({ method: 'initialized' });
      this.#rendered(await within(START_MS, this.request('workflow/rendering', {})));
      this.#become('running');
    } catch (error) {
      if (this.state !== 'starting') return; // it has ended, which is reported elsewhere, or was stopped
      await this.#end();
      this.#become('stopped', error.message);
    }
  }

  /** @param {string[]} command */
  #spawn([program, ...args]) {
    const child = spawn(program, args, { windowsHide: true });
    this.process = child;
    this.#failure = undefined;
    let rest = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop();
      lines.forEach((line) => this.#read(line));
    });
    let lastWords = '';
    child.stderr.setEncoding('utf8').on('data', (text) => {
      lastWords = (lastWords + text).slice(-LAST_WORDS);
      this.on.log(text);
    });
    child.stdin.on('error', () => {}); // the server has stopped reading; 'close' has the reason
    child.on('error', (error) => (this.#failure ??= startFailure(program, error)));
    // Not 'exit': only after 'close' has everything been read that the server said last.
    child.on('close', (code, signal) => {
      const lastLine = lastWords.trim().split('\n').pop();
      const end = `The server ended (${signal ?? `exit code ${code}`})${lastLine ? `: ${lastLine}` : '.'}`;
      const reason = this.#failure ?? end;
      this.process = undefined;
      for (const id of this.#pending.keys()) this.#settle({ id, error: { message: reason } });
      if (this.state !== 'stopped') this.#become('stopped', reason);
    });
  }

  /** Goes to another state; `reason` is why the server died, if it did. */
  #become(state, reason = undefined) {
    Object.assign(this, { state, reason });
    this.on.render();
    if (reason) this.on.died(reason);
  }

  /** Ends the server, by force if it must be; resolves when it is gone. */
  async stop() {
    const { starting } = this;
    await this.#end();
    await starting;
  }

  async #end() {
    this.#become('stopped');
    if (!this.process) return;
    const { process } = this;
    const gone = new Promise((resolve) => process.once('close', resolve));
    process.stdin.end(); // which means `exit`
    await within(END_MS, gone).catch(() => process.kill('SIGKILL'));
    await gone;
  }

  // Messages, one a line

  #send(message) {
    this.process?.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  #read(line) {
    let message;
    try {
      message = JSON.parse(line);
    } catch {
      this.#failure ??= 'The server sent a line that is not a JSON-RPC message.';
      return void this.process.kill();
    }
    if (!message.method) this.#settle(message);
    else if (message.method === 'workflow/render') this.#rendered(message.params);
  }

  #settle({ id, error = undefined, result = undefined }) {
    const waiting = this.#pending.get(id);
    this.#pending.delete(id);
    if (error) waiting?.reject(Object.assign(new Error(error.message), error));
    else waiting?.resolve(result);
  }

  /** The result; when a request about the screens is answered, `stack` shows what it did. */
  async request(method, params) {
    if (!this.process) throw new Error('The server is not running.');
    const id = ++this.#lastId;
    this.#send({ id, method, params });
    return new Promise((resolve, reject) => this.#pending.set(id, { resolve, reject }));
  }

  // Screens

  #rendered({ revision, rendering }) {
    if (revision < this.revision) return; // an answer that a newer rendering has overtaken
    this.revision = revision;
    this.stack = rendering.items.map(({ screen }) => screen);
    this.on.render();
  }

  /** Asks for a `change`, an `act` or a `window` of a screen; a text is typed on its `base`, or on another. */
  ask(what, { name: screen, body: { base } }, params) {
    return this.request(`screen/${what}`, { screen, base, ...params });
  }
}

/** The result of a promise, or after a timeout an error with `isLate`; the promise stays pending. */
function within(milliseconds, promise) {
  const late = setTimeout(milliseconds, undefined, { ref: false }).then(() => {
    throw Object.assign(new Error(`The server did not answer within ${milliseconds / 1000} s.`), { isLate: true });
  });
  return Promise.race([promise, late]);
}

function startFailure(program, { code, message }) {
  const known = { ENOENT: 'was not found', EACCES: 'cannot be executed' };
  const reason = known[code] ?? `could not be started (${message})`;
  return `“${program}” ${reason}. The setting todo.server.command names the server.`;
}

module.exports = { Session, within };
