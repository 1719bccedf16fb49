'use strict';

const test = require('node:test');
const { SERVER, assert, loggedIn, until } = require('./support');
const { Connection } = require('../lib/rpc');

const MILK = { title: 'Buy milk', note: 'Two litres\nor three' };

async function opened(t, add = [MILK]) {
  const ed = await loggedIn(t, { add });
  await ed.click(add[0].title);
  ed.doc = await ed.document();
  ed.stored = async () => (await ed.session.request('listTodos', {})).todos;
  return ed;
}

test('11: the title on line 1, the note from line 3', async (t) => {
  const ed = await opened(t);
  assert.equal(ed.doc.getText(), 'Buy milk\n\nTwo litres\nor three');
  assert.match(ed.doc.uri.path, /^\/todo-form\/[^/]+\/Buy milk$/);
  assert.deepEqual(ed.titles(), ['Buy milk'], 'the list stays in sight');
  assert.deepEqual(ed.titles('todo.actions'), ['Save', 'Discard']);
});

test('12, 13: saving stores, the editor is clean and stays open, the list has the new title', async (t) => {
  const ed = await opened(t);
  for (const title of ['Buy oat milk', 'Buy rice milk']) {
    ed.desk.type(ed.doc, `${title}\n\nOne`);
    await ed.desk.save(ed.doc);
    assert.equal(ed.doc.isDirty, false);
    assert.deepEqual(ed.titles(), [title]);
    const [todo] = await ed.stored();
    assert.deepEqual([todo.title, todo.note], [title, 'One']);
    await until(() => ed.session.stack.length === 3, 'the form is open again');
    assert.equal(ed.desk.tabs.length, 1);
  }
  assert.deepEqual(ed.desk.shown, []);
});

test('14: a save that fails leaves the text unsaved and says why', async (t) => {
  const ed = await opened(t);
  ed.desk.type(ed.doc, '\n\nTwo litres');
  await assert.rejects(ed.desk.save(ed.doc), /^Error: A title must not be blank\.$/);
  assert.equal(ed.doc.isDirty, true);
  assert.equal(ed.desk.tabs.length, 1);
  assert.equal((await ed.stored())[0].title, 'Buy milk');
  ed.desk.type(ed.doc, 'Milk\n\nTwo litres');
  await ed.desk.save(ed.doc);
  assert.equal((await ed.stored())[0].title, 'Milk');
});

test('14: what is wrong is marked while typing', async (t) => {
  const ed = await opened(t);
  const marks = () => ed.desk.diagnostics.get(ed.doc.uri.path) ?? [];
  ed.desk.type(ed.doc, '\n\nx');
  await until(() => marks().length === 1);
  assert.equal(marks()[0].message, 'A title must not be blank.');
  assert.equal(marks()[0].range.startLine, 0);
  ed.desk.type(ed.doc, 'Milk\n\nx');
  await until(() => marks().length === 0);
});

test('15: reverting brings back what is stored, also after a save that failed', async (t) => {
  const ed = await opened(t);
  ed.desk.type(ed.doc, '\n\nx');
  await assert.rejects(ed.desk.save(ed.doc));
  ed.desk.revert(ed.doc);
  assert.equal(ed.doc.getText(), 'Buy milk\n\nTwo litres\nor three');
  await until(() => ed.session.front.body.fields[0].value === 'Buy milk', 'the server knows it, too');
});

test('19: what comes back of a save does not touch the text, so undo goes on', async (t) => {
  const ed = await opened(t);
  const changes = [];
  ed.vscode.workspace.onDidChangeTextDocument(({ document }) => changes.push(document.getText()));
  ed.desk.type(ed.doc, 'Milk\n\nx');
  await ed.desk.save(ed.doc);
  await until(() => ed.session.stack.length === 3);
  ed.desk.type(ed.doc, 'Buy milk\n\nTwo litres\nor three');
  await ed.desk.save(ed.doc);
  await until(() => ed.session.stack.length === 3);
  assert.deepEqual(changes, ['Milk\n\nx', 'Buy milk\n\nTwo litres\nor three']);
  assert.equal((await ed.stored())[0].title, 'Buy milk');
});

test('20: a change from elsewhere appears in an editor without unsaved text', async (t) => {
  const ed = await opened(t);
  const [{ id }] = await ed.stored();
  await ed.session.request('editTodo', { id, note: 'From a script' });
  await until(() => ed.doc.getText() === 'Buy milk\n\nFrom a script');
  assert.equal(ed.doc.isDirty, false);
});

test('21: unsaved text stays, one warning is given, and the three sides are shown', async (t) => {
  const ed = await opened(t);
  const [{ id }] = await ed.stored();
  ed.desk.type(ed.doc, 'Buy milk\n\nMine');
  await until(() => ed.session.front.body.fields[1].value === 'Mine');
  await ed.session.request('editTodo', { id, note: 'Theirs' });
  assert.equal(ed.doc.getText(), 'Buy milk\n\nMine');
  assert.equal(ed.desk.shown.filter(([kind]) => kind === 'warning').length, 1);
  await assert.rejects(ed.desk.save(ed.doc), /changed elsewhere/i);
  assert.equal(ed.doc.isDirty, true);
  await until(() => ed.desk.diffs.length === 2);
  assert.deepEqual(ed.desk.diffs, ['Changed elsewhere: Theirs ↔ Mine', 'Changed elsewhere: Before ↔ Mine']);
  const side = (text) => ed.desk.documents.find((one) => one !== ed.doc && one.getText() === text);
  const mine = side('Buy milk\n\nMine');
  assert.ok(mine && side('Buy milk\n\nTheirs') && side('Buy milk\n\nTwo litres\nor three'));

  ed.desk.type(side('Buy milk\n\nTheirs'), 'x');
  const theirs = side('x');
  await assert.rejects(ed.desk.save(theirs), /“Theirs” is there only to be read/);
  ed.desk.revert(theirs);

  ed.desk.type(mine, 'Buy milk\n\nBoth');
  await ed.desk.save(mine);
  assert.equal((await ed.stored())[0].note, 'Both');
  await until(() => ed.desk.tabs.length === 0, 'all its editors are closed');
  assert.deepEqual(ed.desk.documents, []);
});

test('21: a conflict is ended by an action as well, and its editors with it', async (t) => {
  const ed = await opened(t);
  const [{ id }] = await ed.stored();
  ed.desk.type(ed.doc, 'Buy milk\n\nMine');
  await until(() => ed.session.front.body.fields[1].value === 'Mine');
  await ed.session.request('editTodo', { id, note: 'Theirs' });
  await ed.act('Save');
  await until(() => ed.desk.diffs.length === 2);
  await ed.click('Buy milk');
  assert.ok(ed.said('“Changed elsewhere” is open: save or close it first.'));
  await ed.act('Take theirs');
  assert.equal((await ed.stored())[0].note, 'Theirs');
  await until(() => ed.desk.tabs.length === 0);
  assert.deepEqual(ed.desk.documents, []);
});

test('another row: a clean form gives way, an unsaved one is not lost', async (t) => {
  const ed = await opened(t, [MILK, { title: 'Fix the door' }]);
  await Promise.all([ed.click('Buy milk'), ed.click('Buy milk')]);
  assert.equal(await ed.document(), ed.doc, 'a double click changes nothing');
  await ed.click('Fix the door');
  const door = await ed.document();
  assert.equal(door.getText(), 'Fix the door\n\n');
  await until(() => ed.desk.tabs.length === 1);
  ed.desk.type(door, 'Fix the door\n\nnow');
  await ed.click('Buy milk');
  assert.ok(ed.said('“Edit” is open: save or close it first.'));
  assert.equal(door.getText(), 'Fix the door\n\nnow');
  assert.equal(ed.session.stack.length, 3);
});

test('closing the editor leaves the form; an action closes the editor', async (t) => {
  const ed = await opened(t);
  ed.desk.closeTabs(ed.doc);
  await until(() => ed.session.stack.length === 2);
  await ed.click('Buy milk');
  const again = await ed.document();
  ed.desk.type(again, 'Buy nothing\n\n');
  await ed.act('Save');
  assert.deepEqual(ed.titles(), ['Buy nothing']);
  await until(() => ed.desk.tabs.length === 0);
  await ed.click('Buy nothing');
  const last = await ed.document();
  ed.desk.type(last, 'x\n\n');
  ed.answer(undefined);
  await ed.act('Discard');
  assert.ok(ed.said('“Buy nothing” has unsaved text.'));
  assert.equal(last.getText(), 'x\n\n');
  ed.answer('Discard');
  await ed.act('Discard');
  await until(() => ed.desk.tabs.length === 0);
  assert.deepEqual(ed.titles(), ['Buy nothing']);
});

test('saving and closing at once leaves no form behind', async (t) => {
  const ed = await opened(t);
  ed.desk.type(ed.doc, 'Milk\n\n');
  await ed.desk.save(ed.doc);
  ed.desk.closeTabs(ed.doc);
  await until(() => ed.session.stack.length === 2 && !ed.session.isBusy);
  assert.deepEqual(ed.titles(), ['Milk']);
});

test('23: unsaved text of a form that was lost survives the visit to another form', async (t) => {
  const ed = await opened(t, [MILK, { title: 'Fix the door' }]);
  ed.desk.type(ed.doc, 'Buy milk\n\nunsaved');
  await ed.run('todo.restart');
  ed.answer('ann', '');
  await ed.run('todo.fill');
  await until(() => ed.session.front.body.kind === 'list');
  await ed.click('Fix the door');
  const door = await ed.document();
  assert.notEqual(door, ed.doc);
  ed.desk.closeTabs(door);
  await until(() => ed.session.stack.length === 2 && !ed.session.isBusy);
  assert.equal(ed.doc.getText(), 'Buy milk\n\nunsaved');
  assert.equal(ed.doc.isDirty, true);
  await ed.desk.save(ed.doc);
  assert.equal((await ed.stored()).find(({ title }) => title === 'Buy milk').note, 'unsaved');
});

test('22: two editors on one store: a reload shows what the other did, and a save does not overwrite it', async (t) => {
  const ed = await loggedIn(t, { add: [MILK] });
  const command = [...SERVER, '--store', `sqlite:${ed.folder}/todos.sqlite`];
  const other = new Connection(command, { onNotification() {}, onClose() {}, onStderr() {} });
  t.after(() => other.stop());
  await other.request('initialize', { processId: process.pid });
  await other.request('login', { name: 'ann' });
  const { todos: [{ id }] } = await other.request('listTodos', {});
  await other.request('editTodo', { id, title: 'Buy oat milk' });
  await ed.act('Reload');
  await until(() => ed.titles()[0] === 'Buy oat milk' && !ed.session.isBusy);

  await ed.click('Buy oat milk');
  const document = await ed.document();
  await other.request('editTodo', { id, note: 'theirs' });
  ed.desk.type(document, 'Buy oat milk\n\nmine');
  await assert.rejects(ed.desk.save(document), /changed elsewhere/i);
  await until(() => ed.desk.diffs.length === 2);
  const { todo } = await other.request('getTodo', { id });
  assert.equal(todo.note, 'theirs');
});
