'use strict';

const test = require('node:test');
const { assert, until } = require('./support');
const { Session, within } = require('../lib/session');

/** A session with a server that is a script for Node; `said` collects what it says about its end. */
function session(script) {
  const said = [];
  const on = { render() {}, log() {}, died: (reason) => said.push(reason) };
  return Object.assign(new Session(() => [process.execPath, '-e', script], on), { said });
}

/** A script that answers each request with what `answer`, code, makes of the message `m`. */
const answering = (answer) => `
  const screen = { name: 's', title: 'é☕😀', bar: {}, body: { kind: 'form', fields: [] }, actions: [] };
  const rendering = { revision: 1, rendering: { items: [{ screen }] } };
  const say = (m) => process.stdout.write(JSON.stringify(m) + '\\n');
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const m = JSON.parse(line);
    if (m.method === 'initialize') say({ id: m.id, result: {} });
    else if (m.method === 'workflow/rendering') say({ id: m.id, result: rendering });
    else { ${answer} }
  });`;

test('messages come whole, however the bytes are cut', async (t) => {
  const one = session(answering(`if (m.id) {
    const text = 'é☕😀\\u2028' + 'x'.repeat(200000);
    const bytes = Buffer.from(JSON.stringify({ id: m.id, result: { text } }) + '\\n');
    let at = 0;
    const piece = () => bytes.subarray(at, (at += at < 60 ? 1 : 70000));
    const next = () => at < bytes.length && process.stdout.write(piece(), next);
    next();
  }`));
  t.after(() => one.stop());
  await one.start();
  assert.equal(one.front.title, 'é☕😀');
  const { text } = await one.request('any', {});
  assert.equal(text.length, 5 + 200000);
  assert.ok(text.startsWith('é☕😀\u2028x'));
});

test('requests in flight fail with the reason when the server ends, which is reported once', async () => {
  const one = session(answering("if (m.id) { console.error('first\\nboom'); process.exit(3); }"));
  await one.start();
  const reason = 'The server ended (exit code 3): boom';
  await assert.rejects(one.request('a', {}), { message: reason });
  await assert.rejects(one.request('b', {}), /not running/);
  assert.deepEqual(one.said, [reason]);
  await one.stop();
});

test('the line of a crash is shown as a whole', async () => {
  const line = `todo-server crashed: SIGSEGV. ${'Send this line. '.repeat(60)}frames 1a2b`;
  const one = session(answering(`if (m.id) { console.error(${JSON.stringify(line)}); process.kill(process.pid, 'SIGSEGV'); }`));
  await one.start();
  await assert.rejects(one.request('a', {}), { message: `The server ended (SIGSEGV): ${line}` });
  assert.deepEqual(one.said, [`The server ended (SIGSEGV): ${line}`]);
  await one.stop();
});

test('a silent server does not delay a request forever, and is killed if it does not exit', async () => {
  const one = session(`${answering('')} setInterval(() => {}, 1000);`);
  await one.start();
  const { process: child } = one;
  await assert.rejects(within(50, one.request('a', {})), /did not answer within 0.05 s/);
  await one.stop();
  assert.equal(child.signalCode, 'SIGKILL');
  assert.deepEqual(one.said, []);
});

test('output that is not a message is reported', async () => {
  const one = session("process.stdin.resume(); console.log('hello')");
  await one.start();
  await until(() => one.said.length, 'the reason');
  assert.deepEqual(one.said, ['The server sent a line that is not a JSON-RPC message.']);
});
