'use strict';

// JSON-RPC over the pipes of a child process, framed as in LSP. vscode-jsonrpc does this, too, but it is
// an npm package and no part of VS Code, and an extension without packages needs no build and no lock file.

const { spawn } = require('node:child_process');

const STDERR_TAIL = 2000;
const END_MS = 2000;

/** An error that the server answered with. */
class RpcError extends Error {
  constructor({ code, message, data }) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** Takes bytes as they come and gives whole messages; lengths are counted in bytes, so it keeps buffers. */
class Frames {
  #chunks = [];
  #size = 0;
  #needed = 0;

  constructor(onMessage) {
    this.onMessage = onMessage;
  }

  push(chunk) {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    if (this.#size < this.#needed) return; // joining on every chunk would make a long message quadratic
    let rest = Buffer.concat(this.#chunks);
    for (this.#needed = 0; ; ) {
      const end = rest.indexOf('\r\n\r\n');
      const length = end < 0 ? null : /^content-length: *(\d+)$/im.exec(rest.toString('latin1', 0, end));
      if (end >= 0 && !length) throw new Error('the server sent something that is no message');
      this.#needed = length ? end + 4 + Number(length[1]) : 0;
      if (!length || rest.length < this.#needed) break;
      this.onMessage(JSON.parse(rest.toString('utf8', end + 4, this.#needed)));
      rest = rest.subarray(this.#needed);
    }
    this.#chunks = [rest];
    this.#size = rest.length;
  }
}

class Connection {
  #pending = new Map();
  #lastId = 0;
  #stderr = '';
  #failure = null;

  /** Starts `command`, a list. `onClose(reason)` is called once, when the process has ended or could not start. */
  constructor(command, { onNotification, onClose, onStderr }) {
    this.closed = false;
    this.process = spawn(command[0], command.slice(1), { stdio: 'pipe', windowsHide: true });
    const frames = new Frames((message) => this.#receive(message, onNotification));
    this.process.stdout.on('data', (chunk) => {
      try {
        frames.push(chunk);
      } catch (error) {
        this.#failure ??= error.message;
        this.process.kill();
      }
    });
    this.process.stderr.setEncoding('utf8').on('data', (text) => {
      this.#stderr = (this.#stderr + text).slice(-STDERR_TAIL);
      onStderr(text);
    });
    this.process.stdin.on('error', () => {}); // a dead reader; 'close' tells the reason
    this.process.on('error', (error) => (this.#failure ??= startFailure(command[0], error)));
    // Not 'exit': only after 'close' has everything been read that the server said last.
    this.process.on('close', (code, signal) => {
      this.closed = true;
      this.reason = this.#failure ?? exitReason(code, signal, this.#stderr);
      for (const { reject } of this.#pending.values()) reject(new Error(this.reason));
      this.#pending.clear();
      onClose(this.reason);
    });
  }

  /** The result, or an error: the server's, its end, or that `timeout` milliseconds have passed. */
  request(method, params, timeout) {
    if (this.closed) return Promise.reject(new Error(this.reason));
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      const timer = timeout && setTimeout(() => {
        this.#pending.delete(id);
        this.notify('$/cancelRequest', { id });
        reject(new Error(`The server did not answer within ${timeout / 1000} s.`));
      }, timeout);
      const settled = (settle) => (value) => (clearTimeout(timer), settle(value));
      this.#pending.set(id, { resolve: settled(resolve), reject: settled(reject) });
      this.#send({ id, method, params });
    });
  }

  notify(method, params) {
    if (!this.closed) this.#send({ method, params });
  }

  /** Ends the server, by force if it must be; resolves when it is gone. */
  async stop() {
    if (this.closed) return;
    const gone = new Promise((resolve) => this.process.once('close', resolve));
    this.request('shutdown').catch(() => {});
    this.notify('exit');
    this.process.stdin.end();
    const timer = setTimeout(() => this.process.kill('SIGKILL'), END_MS);
    await gone;
    clearTimeout(timer);
  }

  #send(message) {
    const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }));
    this.process.stdin.write(Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`), body]));
  }

  #receive(message, onNotification) {
    if (message.method) return onNotification(message.method, message.params);
    const waiting = this.#pending.get(message.id);
    this.#pending.delete(message.id); // an answer that nobody waits for any more came after its time-out
    if (message.error) waiting?.reject(new RpcError(message.error));
    else waiting?.resolve(message.result);
  }
}

function startFailure(program, error) {
  const setting = 'The setting todo.server.command names the server.';
  if (error.code === 'ENOENT') return `“${program}” was not found. ${setting}`;
  if (error.code === 'EACCES') return `“${program}” cannot be executed.`;
  return `“${program}” could not be started: ${error.message}`;
}

function exitReason(code, signal, stderr) {
  const lastLine = stderr.trim().split('\n').pop();
  return `The server ended (${signal ?? `exit code ${code}`})${lastLine ? `: ${lastLine}` : '.'}`;
}

module.exports = { Connection, Frames, RpcError };
