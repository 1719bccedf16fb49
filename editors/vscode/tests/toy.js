'use strict';

// A server for cases that the real one does not produce on demand: screens about other things than todos, windows, silence,
// delayed answers, recorded renderings. The first argument chooses; the second one names the file for the received messages,
// or that of the recording. While the file named by HOLD exists, the response and the rendering of a save wait.

const fs = require('node:fs');
const readline = require('node:readline');

const [mode, received] = process.argv.slice(2);
const ROWS = 100_000;
const OUTSIDE = '[x](command:y) $(sync) \u202eabc';
let revision = 1;
let limit = ROWS;
let name = 'a';
let base = 1;
let form = mode === 'form' ? { x: 'a', y: 'long' } : undefined;

function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}

const row = (number) => ({ id: `row${number}`, title: `Row ${number}` });
const action = (one, more) => ({ name: one, title: one.toUpperCase(), enabled: true, scope: 'screen', ...more });

/** Everything that a text from outside can be part of. */
const outside = () => ({
  id: 'outside', name: 'outside', title: OUTSIDE, bar: {}, message: { id: 1, level: 'error', text: OUTSIDE },
  body: {
    kind: 'list', total: 2, offset: 0, empty: OUTSIDE,
    items: [{ id: '1', title: OUTSIDE, detail: OUTSIDE, badge: OUTSIDE, tone: 'alert', url: 'https://example.com/1',
      preview: `Note ${OUTSIDE}\nof two lines` },
      { id: '2', title: 'Two', url: 'command:y' }],
    // Shown as 2 and 5 minutes for most of a minute from now.
    status: { pending: 3, conflicts: 1, failed: 0, syncedAt: new Date(Date.now() - 95_000).toISOString(),
      retryAt: new Date(Date.now() + 325_000).toISOString() },
  },
  actions: [
    action('refuse', { title: OUTSIDE, confirm: OUTSIDE, role: 'sync' }),
    action('grasp', { scope: 'item', role: 'open', primary: true }),
    action('ask', { role: 'create', input: [{ name: 'a', label: OUTSIDE }] }),
  ],
});

function shelf() {
  const many = { scope: 'item', many: true, role: 'remove', confirm: 'Drop this?', confirmMany: 'Drop {count} rows?' };
  const actions = [action('pick', { scope: 'item', primary: true, role: 'open' }), action('turn'), action('drop', many)];
  const items = mode === 'sections' ? SECTIONS : Array.from({ length: limit }, (_, number) => row(number));
  const bodies = { progress: { kind: 'progress', text: 'Halfway', done: 5, total: 10 }, chart: { kind: 'chart' } };
  const body = bodies[mode] ?? { kind: 'list', total: mode === 'sections' ? SECTIONS.length : ROWS, offset: 0, items, empty: 'Nothing.' };
  return { id: 'shelf', name: 'shelf', title: `Shelf ${name}`, bar: {}, body, actions };
}

/** Rows of an agenda, a section of which comes back. */
const SECTIONS = [
  { ...row(1), title: 'One', section: 'Overdue', labels: ['bug', 'two words'], detail: '1 Dec', tone: 'alert', checked: false },
  { ...row(2), title: 'Two', section: 'Overdue', checked: true }, { ...row(3), title: 'Three', section: 'Later' },
  { ...row(4), title: 'Four', section: 'Overdue', detail: 'today', tone: 'notice' }, { ...row(5), title: 'Five', readOnly: true },
];

function book() {
  const wrong = (value) => (value === 'bad' ? { error: 'Bad.' } : {});
  const fields = [{ name: 'x', label: 'X', value: form.x, ...wrong(form.x) },
    { name: 'y', label: 'Y', value: form.y, multiline: true, ...wrong(form.y) }];
  const confirm = form.x === 'doubtful' ? 'Really?' : undefined;
  const actions = [action('keep', { role: 'save', primary: true, confirm }), action('drop', { role: 'back' })];
  const body = { kind: 'form', layout: 'text', base: `stored ${base}`, fields };
  return { id: 'book/1', name: 'book', title: 'Book', bar: {}, body, actions };
}

const screens = () => (mode === 'outside' ? [outside()] : [shelf(), ...(form ? [book()] : [])]);
const rendering = () => ({ items: screens().map((screen) => ({ screen })) });
const draw = () => send({ method: 'workflow/render', params: { revision: ++revision, rendering: rendering() } });

// Recorded renderings: the first one is sent at the start, and one more for each request `next`.
const recorded = mode === 'recorded' ? JSON.parse(fs.readFileSync(received, 'utf8')) : [];

const methods = {
  initialize: ({ capabilities }) => {
    limit = capabilities.render.window;
    return { protocolVersion: 1, capabilities: { render: { frontOnly: true, window: true } } };
  },
  'workflow/rendering': () => recorded.shift() ?? { revision, rendering: rendering() },
  next: () => {
    send({ method: 'workflow/render', params: recorded.shift() });
    return null;
  },
  'screen/window': (params) => {
    limit = params.limit;
    draw();
    return { revision };
  },
  'screen/change': ({ values }) => {
    Object.assign(form ?? {}, values);
    draw();
    return { revision };
  },
  'screen/act': ({ action: one, values }) => {
    if (one === 'refuse') throw Object.assign(new Error(OUTSIDE), { code: -32803 });
    if (one === 'grasp') throw Object.assign(new Error('params.item: expected a number'), { code: -32602 });
    if (one === 'turn') name += 'a';
    if (one === 'pick') form = { x: 'a', y: 'long' };
    const isUnasked = one === 'keep' && values.x === 'doubtful' && form.x !== values.x;
    if (isUnasked) throw Object.assign(new Error('Ask first.'), { code: -32801, data: { reason: 'unconfirmed' } });
    if (one === 'keep') {
      Object.assign(form, values);
      base += 1;
    }
    if (one === 'drop') form = undefined;
    draw();
    return { revision, outcome: 'stays', base: one === 'keep' ? `stored ${base}` : undefined };
  },
};

function respond({ id, method, params }) {
  try {
    const result = methods[method]?.(params) ?? null;
    if (id !== undefined) send({ id, result });
  } catch ({ code, message, data }) {
    send({ id, error: { code, message, data } });
  }
}

const isHeld = () => process.env.HOLD && fs.existsSync(process.env.HOLD);
const lines = readline.createInterface({ input: process.stdin });
lines.on('close', () => process.exit(0));
lines.on('line', (line) => {
  const message = JSON.parse(line);
  const { method, params } = message;
  if (received && mode !== 'recorded') fs.appendFileSync(received, `${JSON.stringify({ method, params })}\n`);
  if (mode === 'mute') return;
  if (params?.action !== 'keep' || !isHeld()) return respond(message);
  const timer = setInterval(() => {
    if (isHeld()) return;
    clearInterval(timer);
    respond(message);
  }, 10);
});
