'use strict';

const test = require('node:test');
const { execFileSync, spawn } = require('node:child_process');
const { once } = require('node:events');
const { ROOT, SERVER, assert, home, loggedIn, path, until } = require('./support');

const REMOVALS = path.join(ROOT, '../../Tests/LanguageServer/removals.py');

/** Does requests as another client of the same store. */
function elsewhere(ed, ...requests) {
  const [program, ...args] = ed.desk.configuration['todo.server.command'];
  const messages = [['initialize', {}], ['login', { name: 'ann' }], ...requests];
  const lines = messages.map(([method, params], id) => JSON.stringify({ jsonrpc: '2.0', id, method, params }));
  execFileSync(program, args, { input: `${lines.join('\n')}\n`, stdio: 'pipe' });
}

test('a todo that another client removed comes back with Shift+R, the cursor and Enter', async (t) => {
  const ed = await loggedIn(t, { add: [{ title: 'Rent', note: 'kept' }, { title: 'Milk' }] });
  const { todos } = await ed.session.request('listTodos', {});
  elsewhere(ed, ...todos.map(({ id }) => ['removeTodo', { id }]));
  await until(async () => !(await ed.rows()).length, 'the removals');
  await ed.press('shift+r');
  await until(async () => (await ed.titles()).join() === 'Rent,Milk', 'the removed todos');
  assert.match((await ed.rows())[0].description, /^removed by you, /);
  await ed.click('Rent');
  await until(async () => (await ed.titles()).join() === 'Milk', 'the row to go');
  await ed.press('alt+left');
  await until(async () => (await ed.titles()).join() === 'Rent', 'the restored todo');
  const rent = todos.find(({ title }) => title === 'Rent');
  assert.equal((await ed.session.request('getTodo', { id: rent.id })).todo.note, 'kept');
});

/** The output of `removals.py`. */
const removals = (...words) => execFileSync('python3', [REMOVALS, ...words], { encoding: 'utf8' });

/** Each todo is removed in its way while the editor is open, and comes back with its id and its note. */
async function checkRestored(t, ways, ...more) {
  const folder = home();
  const options = ['--store', `sqlite:${folder}/todos.sqlite`, ...more];
  removals('prepare', ...options);
  const ed = await loggedIn(t, {}, [...SERVER, ...options], folder);
  for (const [way, reason] of Object.entries(ways)) {
    const title = `By ${way}`;
    const isThere = async () => (await ed.titles()).includes(title);
    await until(isThere, title);
    const before = removals('remove', way, ...options);
    await until(async () => !(await isThere()), `the end of ${title}`);
    await ed.press('shift+r');
    await until(isThere, `${title} among the removed todos`);
    assert.ok((await ed.rows())[0].description.startsWith(`${reason}, `), reason);
    if (way === 'closing') ed.answer(({ buttons }) => buttons[0]);
    await ed.click(title);
    await until(async () => !(await isThere()), 'the row to go');
    await ed.press('alt+left');
    await until(isThere, `${title} in the list`);
    assert.equal(removals('find', way, ...options), before);
  }
}

test('a todo that a script, an assistant, a mirror or a language client removed comes back', (t) => checkRestored(t, {
  script: 'removed by you', assistant: 'removed by an assistant',
  mirror: 'removed in a document', 'language client': 'removed in a document',
}));

test('a todo that was removed at the source comes back', async (t) => {
  const github = spawn('python3', [REMOVALS, 'issues'], { stdio: ['pipe', 'pipe', 'inherit'] });
  t.after(() => github.stdin.end());
  const [url] = await once(github.stdout.setEncoding('utf8'), 'data');
  await checkRestored(t, { closing: 'closed at the source', deletion: 'deleted at the source' },
    '--sync', 'manual', '--source', 'github:o/r', '--github-url', url.trim());
});
