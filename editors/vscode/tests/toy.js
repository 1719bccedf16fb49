'use strict';

// A server for what the real one does not do on demand: screens that have nothing to do with todos, patches,
// windows, silence, recorded renderings. The first argument chooses; a file named by the second one gets what was
// received, or has what was recorded.

const fs = require('node:fs');
const readline = require('node:readline');

const [mode, received] = process.argv.slice(2);
const ROWS = 100_000;
let revision = 1;
let limit = ROWS;
let name = 'a';

function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
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
    form: { kind: 'form', base: 'as it is stored', fields },
    progress: { kind: 'progress', text: 'Halfway', done: 5, total: 10 },
    chart: { kind: 'chart' },
  };
  const body = bodies[mode] ?? list;
  return { name: 'shelf', title: `Shelf ${name}`, bar: { visible: true, right: 'turn' }, body, actions };
}

const rendering = () => ({ items: [{ screen: screen() }] });

// Renderings as they were recorded: the first one at the start, and one more whenever the `next` one is asked for.
const recorded = mode === 'recorded' ? JSON.parse(fs.readFileSync(received, 'utf8')) : [];

const methods = {
  initialize: ({ capabilities }) => {
    limit = capabilities.render.window;
    return { protocolVersion: 1, capabilities: { render: { patch: true, window: true } } };
  },
  'workflow/rendering': () => recorded.shift() ?? { revision, rendering: rendering() },
  next: () => {
    send({ method: 'workflow/render', params: recorded.shift() });
    return null;
  },
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
};

const lines = readline.createInterface({ input: process.stdin });
lines.on('close', () => process.exit(0));
lines.on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (received && mode !== 'recorded') fs.appendFileSync(received, `${JSON.stringify({ method, params })}\n`);
  if (mode === 'mute' || (mode === 'form' && method === 'screen/act')) return;
  if (id !== undefined) send({ id, result: methods[method]?.(params) ?? null });
});
