'use strict';

const test = require('node:test');
const { MILK, assert, opened, until } = require('./support');

test('11: the title on line 1, the note from line 3', async (t) => {
  const ed = await opened(t);
  assert.equal(ed.doc.getText(), 'Buy milk\n\nTwo litres\nor three');
  assert.equal(ed.doc.uri.path, '/Todo/Buy milk', 'breadcrumbs show each part of it');
  assert.deepEqual(await ed.titles(), ['Buy milk'], 'the list stays in sight');
  assert.deepEqual((await ed.offered()).map(({ label }) => label).slice(0, 2), ['Save', 'Discard']);
});

test('12, 13: saving stores, the editor is clean and stays open, the list has the new title', async (t) => {
  const ed = await opened(t);
  for (const title of ['Buy oat milk', 'Buy rice milk']) {
    ed.desk.type(ed.doc, `${title}\n\nOne`);
    await ed.desk.save(ed.doc);
    assert.equal(ed.doc.isDirty, false);
    assert.deepEqual(await ed.titles(), [title]);
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
  await assert.rejects(ed.desk.save(ed.doc), /: A title must not be blank\.$/);
  assert.equal(ed.doc.isDirty, true);
  assert.equal(ed.desk.tabs.length, 1);
  assert.equal((await ed.stored())[0].title, 'Buy milk');
  ed.desk.type(ed.doc, 'Milk\n\nTwo litres');
  await ed.desk.save(ed.doc);
  assert.equal((await ed.stored())[0].title, 'Milk');
});

test('14: what is wrong is marked where it stands, while it is typed', async (t) => {
  const ed = await opened(t);
  const marks = () => ed.desk.diagnostics.get(`${ed.doc.uri}`) ?? [];
  ed.desk.type(ed.doc, '\n\nx');
  await until(() => marks().length);
  assert.deepEqual(marks().map(({ message }) => message), ['A title must not be blank.']);
  assert.equal(marks()[0].range.start.line, 0);
  ed.desk.type(ed.doc, 'Milk\n\nx');
  await until(() => marks().length === 0, 'an edit removes the error before it is saved');
});

test('15: reverting brings back what is stored, also after a save that failed', async (t) => {
  const ed = await opened(t);
  ed.desk.type(ed.doc, '\n\nx');
  await assert.rejects(ed.desk.save(ed.doc));
  ed.desk.revert(ed.doc);
  assert.equal(ed.doc.getText(), 'Buy milk\n\nTwo litres\nor three');
  ed.desk.type(ed.doc, 'Milk\n\ny');
  await ed.desk.save(ed.doc);
  const [todo] = await ed.stored();
  assert.deepEqual([todo.title, todo.note], ['Milk', 'y']);
});

test('19: the answer to a save does not change the text, so undo still works', async (t) => {
  const ed = await opened(t);
  const changes = [];
  ed.vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
    if (contentChanges.length) changes.push(document.getText());
  });
  ed.desk.type(ed.doc, 'Milk\n\nx');
  await ed.desk.save(ed.doc);
  await until(() => ed.session.stack.length === 3);
  ed.desk.type(ed.doc, 'Buy milk\n\nTwo litres\nor three');
  await ed.desk.save(ed.doc);
  await until(() => ed.session.stack.length === 3);
  assert.deepEqual(changes, ['Milk\n\nx', 'Buy milk\n\nTwo litres\nor three']);
  assert.equal((await ed.stored())[0].title, 'Buy milk');
});

test('text is sent also without a pause', async (t) => {
  const ed = await opened(t);
  await until(() => {
    ed.desk.type(ed.doc, `${ed.doc.getText()}x`);
    return ed.session.front.body.fields[1].value.includes('threex');
  }, 'the server has the text');
});

test('20: a change from elsewhere appears in an editor without unsaved text', async (t) => {
  const ed = await opened(t);
  const [{ id }] = await ed.stored();
  await ed.session.request('editTodo', { id, note: 'From a script' });
  await until(() => ed.doc.getText() === 'Buy milk\n\nFrom a script');
  assert.equal(ed.doc.isDirty, false);
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
  const asked = [];
  ed.answer((question) => void asked.push(question.text));
  await ed.click('Buy milk');
  assert.match(asked[0], /^Do you want to save the changes you made to .*Fix the door/, 'VS Code asks');
  assert.equal(door.getText(), 'Fix the door\n\nnow');
  assert.equal(ed.session.stack.length, 3);
  ed.answer("Don't Save");
  await ed.click('Buy milk');
  assert.equal((await ed.document()).getText(), 'Buy milk\n\nTwo litres\nor three');
});

test('closing the editor leaves the form, and the way back closes it; unsaved text is asked about', async (t) => {
  const ed = await opened(t);
  await ed.desk.closeTabs(ed.doc);
  await until(() => ed.session.stack.length === 2);
  await ed.click('Buy milk');
  await ed.document();
  await ed.act('Discard');
  await until(() => ed.desk.tabs.length === 0);
  await ed.click('Buy milk');
  const last = await ed.document();
  ed.desk.type(last, 'x\n\n');
  ed.answer(undefined);
  await ed.act('Discard');
  assert.equal(last.getText(), 'x\n\n');
  assert.equal(ed.session.stack.length, 3);
  ed.answer("Don't Save");
  await ed.act('Discard');
  await until(() => ed.desk.tabs.length === 0 && ed.session.stack.length === 2);
  assert.deepEqual(await ed.titles(), ['Buy milk']);
});

test('the action that saves does what the key does', async (t) => {
  const ed = await opened(t);
  ed.desk.type(ed.doc, 'Buy nothing\n\n');
  await ed.act('Save');
  assert.deepEqual(await ed.titles(), ['Buy nothing']);
  assert.equal(ed.doc.isDirty, false);
  await until(() => ed.session.stack.length === 3, 'the form is open again');
  await ed.act('Save');
  await until(() => ed.desk.tabs.length === 0, 'nothing is unsaved, so it only ends the form');
});

test('saving and closing at once leaves no form behind', async (t) => {
  const ed = await opened(t);
  ed.desk.type(ed.doc, 'Milk\n\n');
  await ed.desk.save(ed.doc);
  ed.desk.closeTabs(ed.doc);
  await until(() => ed.session.stack.length === 2);
  assert.deepEqual(await ed.titles(), ['Milk']);
});

test('23: unsaved text from before a restart stays while another text is open, and is saved', async (t) => {
  const ed = await opened(t, [MILK, { title: 'Fix the door' }]);
  ed.desk.type(ed.doc, 'Buy milk\n\nunsaved');
  await ed.run('todo.restart');
  await ed.logIn();
  await ed.click('Fix the door');
  const door = await ed.document();
  ed.desk.type(door, 'Fix the door\n\nnow');
  await until(() => ed.session.front.body.fields[1].value === 'now');
  await assert.rejects(ed.desk.save(ed.doc), /The text of “[^”]+” is not saved yet/, 'the server has one form');
  assert.deepEqual([ed.doc.getText(), ed.doc.isDirty], ['Buy milk\n\nunsaved', true]);
  await ed.desk.save(door);
  await ed.desk.save(ed.doc);
  const notes = (await ed.stored()).map(({ title, note }) => [title, note]);
  assert.deepEqual(notes.sort(), [['Buy milk', 'unsaved'], ['Fix the door', 'now']]);
});

test('23: several unsaved texts from before a restart are saved by one command', async (t) => {
  const ed = await opened(t, [MILK, { title: 'Fix the door' }]);
  for (const title of ['Buy milk', 'Fix the door']) {
    await ed.click(title);
    ed.desk.type(await ed.document(), `${title}\n\nunsaved`);
    await ed.run('todo.restart');
    await ed.logIn();
  }
  await Promise.all(ed.desk.documents.map((document) => ed.desk.save(document)));
  assert.deepEqual((await ed.stored()).map(({ note }) => note), ['unsaved', 'unsaved']);
});

test('23: an editor without unsaved text stays as well, and shows its form once that is open again', async (t) => {
  const ed = await opened(t);
  await ed.run('todo.restart');
  await ed.logIn();
  assert.deepEqual(ed.desk.documents, [ed.doc]);
  const [{ id }] = await ed.stored();
  await ed.session.request('editTodo', { id, note: 'Theirs' });
  await ed.click('Buy milk');
  await until(() => ed.doc.getText() === 'Buy milk\n\nTheirs');
  assert.equal(ed.desk.tabs.length, 1);
});

test('never lose typed text: a removal elsewhere is reported immediately, and the text is saved as new', async (t) => {
  const ed = await opened(t);
  const [{ id }] = await ed.stored();
  ed.desk.type(ed.doc, 'Buy milk\n\nmine');
  await until(() => ed.session.front.body.fields[1].value === 'mine');
  await ed.session.request('removeTodo', { id });
  await until(() => ed.said('This todo was removed elsewhere. Its text can be saved as a new one.'));
  assert.equal(ed.doc.getText(), 'Buy milk\n\nmine');
  ed.answer('Save as new');
  await ed.desk.save(ed.doc);
  assert.equal(ed.doc.isDirty, false);
  ed.desk.type(ed.doc, 'Buy milk\n\nmine again');
  await ed.desk.save(ed.doc);
  assert.deepEqual((await ed.stored()).map(({ note }) => note), ['mine again']);
});

test('never lose typed text: what was removed while the server was dead is saved as new, all of it', async (t) => {
  const ed = await opened(t);
  const [{ id }] = await ed.stored();
  ed.desk.type(ed.doc, 'Buy milk\n\nmine');
  await ed.run('todo.restart');
  await ed.logIn();
  await ed.session.request('removeTodo', { id });
  ed.answer(undefined);
  await assert.rejects(ed.desk.save(ed.doc), /Nothing was saved/);
  assert.equal(ed.doc.isDirty, true);
  ed.answer('Save as new');
  await ed.desk.save(ed.doc);
  assert.equal(ed.doc.isDirty, false);
  assert.deepEqual((await ed.stored()).map(({ title, note }) => [title, note]), [['Buy milk', 'mine']]);
});

test('a box ticked while unsaved text is kept shows the stored state again', async (t) => {
  const ed = await opened(t);
  ed.desk.type(ed.doc, 'Buy bread');
  ed.answer(undefined);
  const [row] = await ed.rows();
  ed.desk.views['todo.screen'].tick(row);
  assert.equal(await ed.isTicked('Buy milk'), true, 'VS Code ticks it at once');
  await until(async () => !(await ed.isTicked('Buy milk')), 'the box as it is stored');
  assert.equal(ed.doc.getText(), 'Buy bread');
});

test('an editor from before a restart of VS Code is closed, but for unsaved text', async (t) => {
  const ed = await opened(t);
  const old = (number, isDirty) => {
    const uri = ed.vscode.Uri.from({ scheme: 'todo', path: '/Todo/Buy milk', query: `old-${number}` });
    return { isDirty, input: number === 1 ? { original: uri, modified: uri } : { uri } };
  };
  const theirs = { isDirty: false, input: { uri: ed.vscode.Uri.from({ scheme: 'file', path: '/a' }) } };
  ed.desk.tabs = [old(1, false), old(2, false), old(3, true), theirs];
  new (require('../lib/forms').Forms)(ed.session, assert.fail, ed.context.workspaceState);
  assert.deepEqual(ed.desk.tabs.map(({ input }) => input.uri.query ?? input.uri.path), ['old-3', '/a']);
});
