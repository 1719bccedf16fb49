'use strict';

const test = require('node:test');
const { assert, ROOT, path } = require('./support');
const { Connection, Frames } = require('../lib/rpc');
const { applyPatch } = require('../lib/patch');

const frame = (value) => {
  const body = Buffer.from(JSON.stringify(value));
  return Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`), body]);
};
const quiet = { onNotification() {}, onClose() {}, onStderr() {} };

test('frames come whole, however the bytes are cut', () => {
  const sent = [{ a: 'é☕😀' }, {}, { b: 'x'.repeat(5000) }];
  const bytes = Buffer.concat(sent.map(frame));
  for (const size of [1, 2, 7, 100, bytes.length]) {
    const got = [];
    const frames = new Frames((message) => got.push(message));
    for (let at = 0; at < bytes.length; at += size) frames.push(bytes.subarray(at, at + size));
    assert.deepEqual(got, sent);
  }
});

test('a header is read in any case, beside others', () => {
  const got = [];
  new Frames((message) => got.push(message)).push(Buffer.from('content-type: x\r\ncontent-length:2\r\n\r\n{}'));
  assert.deepEqual(got, [{}]);
});

test('what is under way fails with the reason when the server ends, and so does what comes later', async () => {
  const script = "process.stdin.once('data', () => { console.error('first\\nboom'); process.exit(3); })";
  const connection = new Connection([process.execPath, '-e', script], quiet);
  const reason = { message: 'The server ended (exit code 3): boom' };
  await assert.rejects(connection.request('a'), reason);
  await assert.rejects(connection.request('b'), reason);
  await connection.stop();
});

test('a silent server does not keep a request for ever, and is ended by force if it must be', async () => {
  const script = 'process.stdin.resume(); setInterval(() => {}, 1000)';
  const connection = new Connection([process.execPath, '-e', script], quiet);
  await assert.rejects(connection.request('a', {}, 50), /did not answer within 0.05 s/);
  await connection.stop();
  assert.equal(connection.process.signalCode, 'SIGKILL');
});

test('something that is no protocol is said so', async () => {
  const connection = new Connection([process.execPath, path.join(ROOT, 'tests/toy.js'), 'garbage'], quiet);
  await assert.rejects(connection.request('initialize'), /no message/);
});

test('JSON Patch: the examples of RFC 6902', () => {
  const cases = [
    [{ foo: 'bar' }, [{ op: 'add', path: '/baz', value: 'qux' }], { foo: 'bar', baz: 'qux' }],
    [{ foo: ['bar', 'baz'] }, [{ op: 'add', path: '/foo/1', value: 'q' }], { foo: ['bar', 'q', 'baz'] }],
    [{ foo: ['bar'] }, [{ op: 'add', path: '/foo/-', value: ['abc'] }], { foo: ['bar', ['abc']] }],
    [{ baz: 1, foo: 2 }, [{ op: 'remove', path: '/baz' }], { foo: 2 }],
    [{ foo: [1, 2, 3] }, [{ op: 'remove', path: '/foo/1' }], { foo: [1, 3] }],
    [{ baz: 1, foo: 2 }, [{ op: 'replace', path: '/baz', value: 3 }], { baz: 3, foo: 2 }],
    [{ foo: { a: 1 }, qux: {} }, [{ op: 'move', from: '/foo/a', path: '/qux/b' }], { foo: {}, qux: { b: 1 } }],
    [{ foo: [1, 2, 3] }, [{ op: 'move', from: '/foo/0', path: '/foo/2' }], { foo: [2, 3, 1] }],
    [{ foo: 1 }, [{ op: 'copy', from: '/foo', path: '/bar' }], { foo: 1, bar: 1 }],
    [{ '/': 9, '~1': 10 }, [{ op: 'test', path: '/~01', value: 10 }], { '/': 9, '~1': 10 }],
    [{ a: 1 }, [{ op: 'replace', path: '', value: [] }], []],
  ];
  for (const [document, patch, expected] of cases) {
    const before = structuredClone(document);
    assert.deepEqual(applyPatch(document, patch), expected);
    assert.deepEqual(document, before, 'the document that was given stays');
  }
});

test('JSON Patch: what does not fit is refused', () => {
  const refused = [
    { op: 'add', path: '/a/b', value: 1 }, { op: 'remove', path: '/none' }, { op: 'replace', path: '/l/3', value: 1 },
    { op: 'add', path: '/l/01', value: 1 }, { op: 'add', path: '/l/4', value: 1 },
    { op: 'test', path: '/n', value: '1' }, { op: 'test', path: '/n', value: true },
    { op: 'move', from: '/o', path: '/o/x' }, { op: 'spin', path: '/n' }, { op: 'add', path: 'n', value: 1 },
    { op: 'remove', path: '/l/length' }, { op: 'remove', path: '' },
  ];
  const document = { n: 1, l: [1, 2, 3], o: { x: 1 } };
  for (const operation of refused) {
    assert.throws(() => applyPatch(document, [operation]), Error, JSON.stringify(operation));
  }
});
