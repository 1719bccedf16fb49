'use strict';

// A server for what the real one does not do on demand: screens that have nothing to do with todos, patches,
// windows, silence, ends. The first argument chooses; a file named by the second one gets what was received.

const fs = require('node:fs');
const { Frames } = require('../lib/rpc');

const [mode, received] = process.argv.slice(2);
const ROWS = 100_000;
let revision = 1;
let limit = ROWS;
let name = 'a';

function send(message) {
  const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }));
  process.stdout.write(`Content-Length: ${body.length}\r\n\r\n`);
  process.stdout.write(body);
}

const row = (number) => ({ id: `row${number}`, title: `Row ${number}` });
const action = (one, scope = 'screen') => ({ name: one, title: one.toUpperCase(), enabled: true, scope });

function screen() {
  const actions = [action('pick', 'item'), action('turn')];
  const items = Array.from({ length: limit }, (_, number) => row(number));
  const list = { kind: 'list', total: ROWS, offset: 0, items, empty: 'Nothing.' };
  const fields = [
    { name: 'x', label: 'X', value: name },
    { name: 'y', label: 'Y', value: 'long', multiline: true },
  ];
  const bodies = {
    form: { kind: 'form', fields },
    progress: { kind: 'progress', text: 'Halfway', done: 5, total: 10 },
    chart: { kind: 'chart' },
  };
  const body = bodies[mode] ?? list;
  return { name: 'shelf', title: `Shelf ${name}`, bar: { visible: true, right: 'turn' }, body, actions };
}

const rendering = () => ({ items: [{ screen: screen() }] });

const methods = {
  initialize: () => ({ protocolVersion: 1, capabilities: { render: { patch: true, window: true } } }),
  'workflow/rendering': () => ({ revision, rendering: rendering() }),
  'screen/window': (params) => {
    limit = params.limit;
    send({ method: 'workflow/render', params: { revision: ++revision, rendering: rendering() } });
    return { revision };
  },
  'screen/act': () => {
    name += 'a';
    const patch = [{ op: 'replace', path: '/items/0/screen/title', value: `Shelf ${name}` }];
    const base = mode === 'lost' ? revision + 5 : revision;
    send({ method: 'workflow/render', params: { revision: ++revision, base, patch } });
    return { revision };
  },
  shutdown: () => null,
};

const frames = new Frames(({ id, method, params }) => {
  if (received) fs.appendFileSync(received, `${JSON.stringify({ method, params })}\n`);
  if (method === 'exit') process.exit(0);
  if (mode === 'mute' || (mode === 'form' && method === 'screen/act')) return;
  if (mode === 'garbage') process.stdout.write('hello\r\n\r\n');
  if (id !== undefined) send({ id, result: methods[method]?.(params) ?? null });
});

process.stdin.on('data', (chunk) => frames.push(chunk)).on('end', () => process.exit(0));
