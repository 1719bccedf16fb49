'use strict';

// Reload Window, or a restart of VS Code: unsaved text is still in its editor, and everything else is new.

const test = require('node:test');
const { MILK, assert, editor, opened, until } = require('./support');

const OPEN_FIRST = /Open this text from its list first\. Then save it again\./;

/** An editor with unsaved text, whose window was reloaded. */
async function reloaded(t, text = 'Buy milk\n\nmine', options = {}) {
  const ed = await opened(t);
  const [{ id }] = await ed.stored();
  ed.desk.type(ed.doc, text);
  await until(() => ed.session.front.body.fields.some(({ value }) => text.endsWith(value)), 'the server has the text');
  await ed.reload(options);
  ed.logInAgain = async (name) => {
    await ed.run('todo.show');
    await ed.logIn(name);
  };
  return Object.assign(ed, { id });
}

test('unsaved text is saved after a reload of the window and a login', async (t) => {
  const ed = await reloaded(t);
  assert.equal(ed.desk.tabs.length, 1);
  await ed.logInAgain();
  await ed.desk.save(ed.doc);
  assert.equal(ed.doc.isDirty, false);
  assert.deepEqual((await ed.stored()).map(({ title, note }) => [title, note]), [['Buy milk', 'mine']]);
  await until(() => ed.session.stack.length === 3, 'its form is open');
  ed.desk.type(ed.doc, 'Buy milk\n\nagain');
  await ed.desk.save(ed.doc);
  assert.equal((await ed.stored())[0].note, 'again');
});

test('saving before the login says what comes first', async (t) => {
  const ed = await reloaded(t);
  await assert.rejects(ed.desk.save(ed.doc), OPEN_FIRST);
  assert.equal(ed.doc.isDirty, true);
  await ed.onTitle('Welcome');
  await ed.logIn();
  await ed.desk.save(ed.doc);
  assert.equal((await ed.stored())[0].note, 'mine');
});

test('unsaved text from before a reload does not overwrite what was changed meanwhile', async (t) => {
  const ed = await reloaded(t);
  await ed.logInAgain();
  await ed.session.request('editTodo', { id: ed.id, note: 'Theirs' });
  await ed.asks(ed.doc);
  assert.equal((await ed.stored())[0].note, 'Theirs');
});

test('opening the row shows the unsaved text from before a reload', async (t) => {
  const ed = await reloaded(t);
  await ed.logInAgain();
  await ed.click('Buy milk');
  assert.equal(await ed.document(), ed.doc);
  assert.deepEqual([ed.doc.getText(), ed.desk.tabs.length], ['Buy milk\n\nmine', 1]);
  await until(() => ed.session.front.body.fields[1].value === 'mine', 'the server has the text again');
  await ed.desk.save(ed.doc);
  assert.equal((await ed.stored())[0].note, 'mine');
});

test('the unsaved text of one user is not saved in the list of another', async (t) => {
  const ed = await reloaded(t);
  await ed.logInAgain('bob');
  await assert.rejects(ed.desk.save(ed.doc), /This text is of another user\. Log in as that user to save it\./);
  assert.deepEqual(await ed.stored(), []);
  assert.deepEqual([ed.doc.getText(), ed.doc.isDirty], ['Buy milk\n\nmine', true]);
  await ed.run('todo.logout');
  await ed.onTitle('Welcome');
  await ed.logIn();
  await ed.desk.save(ed.doc);
  assert.equal((await ed.stored())[0].note, 'mine');
});

test('unsaved text of a list is saved from the choice of lists, and not in another list', async (t) => {
  const ed = await editor(t);
  ed.desk.configuration['todo.server.command'].push('--sync', 'manual');
  ed.desk.configuration['todo.server.sources'] = ['local', 'github:octo/tasks'];
  await ed.run('todo.show');
  await ed.logIn();
  await ed.session.request('openList', { source: 'local' });
  await ed.onTitle('Todos of ann in local');
  await ed.session.request('addTodo', MILK);
  await ed.click('Buy milk');
  const document = await ed.document();
  ed.desk.type(document, 'Buy milk\n\nmine');
  await until(() => ed.session.front.body.fields[1].value === 'mine');
  await ed.reload();
  await ed.run('todo.show');
  await ed.logIn();
  await ed.session.request('openList', { source: 'github:octo/tasks' });
  await ed.onTitle('Todos of ann in github:octo/tasks');
  await assert.rejects(ed.desk.save(document), /This text is of the list local\. Open that list to save it\./);
  await ed.act('Lists');
  await ed.desk.save(document);
  assert.deepEqual((await ed.session.request('listTodos', {})).todos.map(({ note }) => note), ['mine']);
});

test('unsaved text whose version VS Code has forgotten has to be opened first, and overwrites nothing', async (t) => {
  const ed = await reloaded(t, 'Buy milk\n\nmine', { forgets: true });
  await ed.logInAgain();
  await assert.rejects(ed.desk.save(ed.doc), OPEN_FIRST);
  await ed.session.request('editTodo', { id: ed.id, title: 'Buy oat milk' });
  await until(async () => (await ed.titles()).includes('Buy oat milk'));
  await ed.click('Buy oat milk');
  assert.equal(await ed.document(), ed.doc, 'it has the address of its todo, whatever that is called now');
  await ed.asks(ed.doc);
  assert.equal((await ed.stored())[0].title, 'Buy oat milk');
  assert.equal(ed.doc.isDirty, true);
});

test('text that has been saved leaves no record, and its editor is closed after a reload', async (t) => {
  const ed = await opened(t);
  ed.desk.type(ed.doc, 'Buy milk\n\nmine');
  await until(() => ed.context.workspaceState.get('unsaved', []).length);
  await ed.desk.save(ed.doc);
  await until(() => !ed.context.workspaceState.get('unsaved').length);
  await ed.reload();
  assert.deepEqual(ed.desk.tabs, []);
});

test('an unsaved merged text of a conflict is saved after a reload', async (t) => {
  const ed = await opened(t);
  const [{ id }] = await ed.stored();
  ed.desk.type(ed.doc, 'Buy milk\n\nmine');
  await ed.session.request('editTodo', { id, note: 'theirs' });
  await ed.asks(ed.doc);
  const merged = await until(() => ed.desk.documents.find((one) => one.getText().includes('>>>')));
  ed.desk.type(merged, 'Buy milk\n\nboth');
  await until(() => ed.session.front.body.fields.some(({ value }) => value === 'Buy milk\n\nboth'));
  await ed.reload();
  assert.ok(ed.desk.tabs.some(({ input }) => `${input.modified}` === `${merged.uri}`), 'its editors stay');
  await ed.run('todo.show');
  await ed.logIn();
  await ed.desk.save(merged);
  assert.equal((await ed.stored())[0].note, 'both');
});

test('the address of a text consists of its list and its todo', async (t) => {
  const ed = await opened(t, [MILK, { title: 'Fix the door' }]);
  const addresses = async () => {
    const found = [];
    for (const title of ['Fix the door', 'Buy milk']) {
      await ed.click(title);
      found.push((await until(() => ed.desk.documents.find(({ uri }) => uri.path.endsWith(title)))).uri.query);
    }
    return found;
  };
  const before = await addresses();
  assert.equal(new Set(before).size, 2);
  await ed.reload();
  await ed.run('todo.show');
  await ed.logIn();
  assert.deepEqual(await addresses(), before, 'the same after a reload');
  await ed.run('todo.logout');
  await ed.onTitle('Welcome');
  await ed.logIn('bob');
  for (const todo of [MILK, { title: 'Fix the door' }]) await ed.session.request('addTodo', todo);
  for (const address of await addresses()) assert.ok(!before.includes(address), address);
});
