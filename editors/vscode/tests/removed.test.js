'use strict';

const test = require('node:test');
const { execFileSync } = require('node:child_process');
const { assert, loggedIn, until } = require('./support');

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
