'use strict';

const { Connection } = require('./rpc');
const { applyPatch } = require('./patch');

const START_MS = 10_000;

/**
 * One server process and what it shows. Knows nothing of VS Code.
 * `on` has `render()`, `busy()`, `died(reason)` and `log(text)`.
 */
class Session {
  #command;
  #on;
  #resync = null;
  #rendering = { items: [] };
  #nextKey = 0;
  #busy = 0;

  constructor(command, on) {
    this.#command = command;
    this.#on = on;
    this.state = 'stopped';
    this.#forget();
  }

  #forget() {
    this.revision = 0;
    this.stack = [];
    /** A number for each screen of the stack: the same as long as it is the same visit to that screen. */
    this.keys = [];
    /** What the user pressed last: a screen that comes now comes from it. */
    this.press = {};
  }

  get front() {
    return this.stack.at(-1);
  }

  get frontKey() {
    return this.keys.at(-1);
  }

  get isBusy() {
    return this.#busy > 0;
  }

  /** Starts a server unless there is one; the reason why it did not start is told to `died`. */
  start() {
    this.starting ??= this.#start().finally(() => (this.starting = null));
    return this.starting;
  }

  async #start() {
    if (this.state === 'running') return;
    this.#forget();
    this.#setState('starting');
    try {
      const connection = (this.connection = new Connection(this.#command(), {
        onNotification: (method, params) => this.#notified(connection, method, params),
        onClose: (reason) => this.#closed(connection, reason),
        onStderr: this.#on.log,
      }));
      const { capabilities } = await connection.request('initialize', {
        processId: process.pid,
        clientInfo: { name: 'vscode' },
        capabilities: { render: { patch: true, window: 500 } },
      }, START_MS);
      this.hasWindows = Boolean(capabilities.render?.window);
      connection.notify('initialized', {});
      await this.#synchronize();
      if (this.state === 'starting') this.#setState('running');
    } catch (error) {
      if (this.state !== 'starting') return; // it ended, which was said, or was stopped
      const { connection } = this;
      this.connection = null;
      await connection?.stop();
      this.#died(error.message);
    }
  }

  async stop() {
    const { connection, starting } = this;
    this.connection = null; // its end is no news
    this.#setState('stopped');
    await connection?.stop();
    await starting;
  }

  async restart() {
    await this.stop();
    await this.start();
  }

  #closed(connection, reason) {
    if (connection !== this.connection) return;
    this.#died(reason);
  }

  #died(reason) {
    this.reason = reason;
    this.#setState('stopped');
    this.#on.died(reason);
  }

  #setState(state) {
    this.state = state;
    this.#on.render();
  }

  #notified(connection, method, params) {
    if (connection === this.connection && method === 'workflow/render') this.#rendered(params);
  }

  #rendered({ revision, base, patch, rendering }) {
    if (patch && base !== this.revision) return void this.#synchronize();
    if (revision < this.revision) return;
    try {
      this.#rendering = patch ? applyPatch(this.#rendering, patch) : rendering;
    } catch (error) {
      this.#on.log(`A patch did not fit: ${error.message}\n`);
      return void this.#synchronize();
    }
    this.revision = revision;
    this.#arrange(this.#rendering.items.map((item) => item.screen));
    this.#on.render();
  }

  #arrange(stack) {
    let same = true;
    this.keys = stack.map((screen, depth) => {
      same &&= screen.name === this.stack[depth]?.name;
      return same ? this.keys[depth] : ++this.#nextKey;
    });
    this.stack = stack;
  }

  /** Asks for the whole state, once for everyone who finds that something is missing. */
  #synchronize() {
    this.#resync ??= this.connection
      .request('workflow/rendering', {}, START_MS)
      .then((result) => this.#rendered(result), (error) => this.#on.log(`${error.message}\n`))
      .finally(() => (this.#resync = null));
    return this.#resync;
  }

  /** A request about the screens. When it is answered, `stack` shows what it did. */
  async request(method, params, timeout) {
    if (this.state !== 'running') throw new Error('The server is not running.');
    this.#busy += 1;
    this.#on.busy();
    try {
      const result = await this.connection.request(method, params, timeout);
      if (this.#resync || result?.revision > this.revision) await this.#synchronize();
      return result;
    } catch (error) {
      if (error.data?.revision > this.revision) await this.#synchronize();
      throw error;
    } finally {
      this.#busy -= 1;
      this.#on.busy();
    }
  }

  change(values) {
    return this.request('screen/change', { screen: this.front.name, values });
  }

  act(action, { item, values } = {}, timeout) {
    const screen = this.front.name;
    this.press = { screen, action, item };
    return this.request('screen/act', { screen, action, item, values, revision: this.revision }, timeout);
  }

  window(limit) {
    return this.request('screen/window', { screen: this.front.name, offset: 0, limit });
  }
}

module.exports = { Session };
