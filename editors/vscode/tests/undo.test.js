'use strict';

// Undo in a text: to VS Code a text that it has read again is an edit, and its lines may be those of other fields.

const test = require('node:test');
const { assert, opened, until } = require('./support');

const SAVED = 'Buy milk\n\nMine';
const READ = 'Buy milk\n2026-12-01\nhome\n\nMine';

/** An editor whose text has got lines for a date and a label of another client, and `content()`, what is stored. */
async function extended(t) {
  const ed = await opened(t);
  const [{ id }] = await ed.stored();
  ed.change = (values) => ed.session.request('editTodo', { id, ...values });
  ed.content = async () => (await ed.stored()).map(({ note, due, labels, priority }) => [note, due, labels, priority])[0];
  ed.shows = (text) => until(() => ed.doc.getText() === text && !ed.doc.isDirty, text);
  await ed.change({ due: '2026-12-01', labels: ['home'] });
  ed.desk.type(ed.doc, SAVED);
  await ed.desk.save(ed.doc);
  await ed.shows(READ);
  return ed;
}

test('undo reverts the lines of new fields: a save keeps these fields, and the lines return', async (t) => {
  const ed = await extended(t);
  for (const note of ['Mine', 'Mine, too']) {
    ed.desk.undo(ed.doc);
    assert.deepEqual([ed.doc.getText(), ed.doc.isDirty], [SAVED, true]);
    if (note !== 'Mine') ed.desk.type(ed.doc, `Buy milk\n\n${note}`);
    await ed.desk.save(ed.doc);
    assert.deepEqual(await ed.content(), [note, '2026-12-01', ['home'], undefined]);
    await ed.shows(READ.replace('Mine', note));
  }
  assert.deepEqual(ed.desk.shown, []);
});

test('undo of a text that was read after a restart is based on the version before that', async (t) => {
  const ed = await opened(t);
  const [{ id }] = await ed.stored();
  const before = ed.doc.getText();
  await ed.run('todo.restart');
  await ed.logIn();
  await ed.session.request('editTodo', { id, note: 'Theirs', due: '2026-12-01' });
  await ed.click('Buy milk');
  await until(() => ed.doc.getText() === 'Buy milk\n2026-12-01\n\nTheirs' && !ed.doc.isDirty);
  ed.desk.undo(ed.doc);
  ed.desk.type(ed.doc, before.replace('milk', 'oat milk'));
  await ed.desk.save(ed.doc);
  const [{ title, note, due }] = await ed.stored();
  assert.deepEqual([title, note, due], ['Buy oat milk', 'Theirs', '2026-12-01']);
});

test('an error is marked at its line in an undone text', async (t) => {
  const ed = await extended(t);
  ed.desk.undo(ed.doc);
  ed.desk.type(ed.doc, `${SAVED}\0`);
  const marks = () => ed.desk.diagnostics.get(`${ed.doc.uri}`) ?? [];
  await until(() => marks().length);
  assert.deepEqual(marks().map(({ range, message }) => [range.start.line, message]), [[2, 'A note must not contain U+0000.']]);
});

test('undo and redo keep to the lines of each text', async (t) => {
  const ed = await extended(t);
  await ed.change({ priority: 'high' });
  ed.desk.type(ed.doc, READ.replace('Mine', 'Yours'));
  await ed.desk.save(ed.doc);
  await ed.shows('Buy milk\n2026-12-01\nhome\nhigh\n\nYours');
  while (ed.doc.getText() !== SAVED) ed.desk.undo(ed.doc);
  ed.desk.redo(ed.doc);
  assert.deepEqual([ed.doc.getText(), ed.doc.isDirty], [READ, true]);
  await ed.desk.save(ed.doc);
  assert.deepEqual(await ed.content(), ['Mine', '2026-12-01', ['home'], 'high']);
});

test('undo of an edit, and of its line, leaves nothing of the edit at the server', async (t) => {
  const ed = await extended(t);
  ed.desk.type(ed.doc, READ.replace('2026', '2027'));
  await until(() => ed.session.front.body.fields.some(({ value }) => value === '2027-12-01'), 'the server has the edit');
  ed.desk.undo(ed.doc);
  ed.desk.undo(ed.doc);
  assert.equal(ed.doc.getText(), SAVED);
  await ed.desk.save(ed.doc);
  assert.deepEqual(await ed.content(), ['Mine', '2026-12-01', ['home'], undefined]);
});

test('undo of a saved edit, and of the lines of new fields below it, is an edit of the stored version', async (t) => {
  const ed = await extended(t);
  ed.desk.type(ed.doc, READ.replace('Mine', 'Yours'));
  await ed.desk.save(ed.doc);
  ed.desk.undo(ed.doc);
  ed.desk.undo(ed.doc);
  assert.equal(ed.doc.getText(), SAVED);
  await ed.desk.save(ed.doc);
  assert.deepEqual(await ed.content(), ['Mine', '2026-12-01', ['home'], undefined]);
});

test('text that is typed after a save, before VS Code reads the lines of new fields, keeps to its own lines', async (t) => {
  const ed = await extended(t);
  await ed.change({ priority: 'high' });
  ed.desk.type(ed.doc, READ.replace('Mine', 'Yours'));
  ed.desk.provider.onDidChangeFile(() => ed.doc.isDirty || ed.desk.type(ed.doc, READ.replace('Mine', 'Ours')));
  await ed.desk.save(ed.doc);
  await until(() => ed.doc.isDirty);
  await ed.desk.save(ed.doc);
  assert.deepEqual(await ed.content(), ['Ours', '2026-12-01', ['home'], 'high']);
});
