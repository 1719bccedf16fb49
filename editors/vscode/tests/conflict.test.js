'use strict';

// A text that was changed elsewhere meanwhile.

const test = require('node:test');
const { MILK, assert, loggedIn, opened, until } = require('./support');

/** An open todo with unsaved text that was changed elsewhere meanwhile. */
async function crossed(t) {
  const ed = await opened(t);
  const [{ id }] = await ed.stored();
  ed.desk.type(ed.doc, 'Buy milk\n\nMine');
  // One that comes before the server knows of the typing, and many that come later.
  await ed.session.request('editTodo', { id, note: 'Theirs at first' });
  await until(() => ed.session.front.body.fields[1].value === 'Mine');
  for (const note of ['1', '2', '3', '4', '5', 'Theirs']) await ed.session.request('editTodo', { id, note });
  ed.merged = () => ed.desk.documents.find((one) => one !== ed.doc && !ed.desk.provider.stat(one.uri).permissions);
  ed.side = (text) => ed.desk.documents.find((one) => one !== ed.doc && one.getText() === text);
  return ed;
}

test('15: reverting text that was changed elsewhere shows what is stored now, and ends the conflict', async (t) => {
  const ed = await crossed(t);
  await until(() => ed.session.front.message);
  ed.desk.revert(ed.doc);
  await ed.session.request('addTodo', { title: 'Something else' }); // before the server knows of it
  await until(() => ed.doc.getText() === 'Buy milk\n\nTheirs');
  assert.equal(ed.doc.isDirty, false);
  assert.equal(ed.session.front.message, undefined, 'there is nothing to warn of any more');
  ed.desk.type(ed.doc, 'Buy milk\n\nTheirs and mine');
  await ed.desk.save(ed.doc);
  assert.equal((await ed.stored()).find((todo) => todo.title === 'Buy milk').note, 'Theirs and mine');
});

test('21: unsaved text stays, one warning is given, theirs is shown beside merged, and the other sides on demand', async (t) => {
  const ed = await crossed(t);
  assert.equal(ed.doc.getText(), 'Buy milk\n\nMine');
  const warning = 'This todo was changed elsewhere while you were editing.';
  await until(() => ed.desk.shown.length);
  assert.deepEqual(ed.desk.shown, [['warning', warning]]);
  await ed.asks(ed.doc);
  assert.equal(ed.doc.isDirty, true);
  await until(() => ed.desk.diffs.length === 1);
  await ed.menu('editor/title', 'todo.base');
  const titles = ['Theirs', 'Before', 'Mine'].map((side) => `Changed elsewhere: ${side} (open) ↔ Merged (open)`);
  assert.deepEqual(ed.desk.diffs, titles);
  for (const text of ['Buy milk\n\nMine', 'Buy milk\n\nTheirs', 'Buy milk\n\nTwo litres\nor three']) {
    assert.throws(() => ed.desk.type(ed.side(text), 'x'), /read-only/);
  }
  const merged = ed.merged();
  ed.desk.type(merged, 'Buy milk\n\nBoth');
  await ed.desk.save(merged);
  assert.equal((await ed.stored())[0].note, 'Both');
  await until(() => ed.desk.tabs.length === 0, 'all its editors are closed');
  assert.deepEqual(ed.desk.documents, []);
});

test('merged text of a todo that is removed while it is saved keeps the date and labels', async (t) => {
  const ed = await opened(t, [{ ...MILK, due: '2026-12-01', labels: ['home'] }]);
  const [{ id }] = await ed.stored();
  ed.desk.type(ed.doc, ed.doc.getText().replace('Two', 'Three'));
  await ed.session.request('editTodo', { id, note: 'Theirs' });
  await ed.asks(ed.doc);
  const merged = await until(() => ed.desk.documents.find(({ uri }) => uri.query.endsWith('merged')));
  ed.answer("Don't Save");
  await ed.vscode.window.tabGroups.close(ed.desk.tabs.filter(({ input }) => input.uri === ed.doc.uri));
  ed.desk.type(merged, 'Buy milk\n\nBoth');
  const removal = ed.session.request('removeTodo', { id });
  await assert.rejects(ed.desk.save(merged));
  await removal;
  ed.answer('Save as new');
  await ed.desk.save(merged);
  const [{ title, note, due, labels }] = await ed.stored();
  assert.deepEqual([title, note, due, labels], ['Buy milk', 'Both', '2026-12-01', ['home']]);
  ed.desk.unanswered.length = 0; // VS Code asks when the tab with the sides of the lost comparison is closed
});

test('21: a conflict is ended by an action as well, and its editors with it', async (t) => {
  const ed = await crossed(t);
  await ed.act('Save');
  assert.ok(!ed.said('Failed to save'));
  await until(() => ed.desk.diffs.length === 1);
  const [, second] = ed.desk.tabs;
  await ed.vscode.window.tabGroups.close([second]);
  assert.equal(ed.session.stack.length, 3, 'a side that is closed decides nothing');
  await ed.run('todo.show');
  await until(() => ed.desk.diffs.length === 2);
  ed.answer('Take theirs');
  await ed.act('Take theirs');
  assert.equal((await ed.stored())[0].note, 'Theirs');
  await until(() => ed.desk.tabs.length === 0);
  assert.deepEqual(ed.desk.documents, []);
});

test('21: a conflict is one notification with its three decisions', async (t) => {
  const ed = await crossed(t);
  await until(() => ed.desk.shown.length);
  ed.desk.shown.length = 0;
  const asked = [];
  ed.answer(({ text, buttons }) => (asked.push([text, buttons]), 'Keep mine'));
  await ed.asks(ed.doc);
  const text = 'This todo was changed elsewhere. Nothing was overwritten.';
  await until(() => asked.length);
  assert.deepEqual(asked, [[text, ['Keep mine', 'Take theirs', 'Save merged']]]);
  assert.deepEqual(ed.desk.shown, [['warning', text]]);
  await until(() => ed.session.front.body.kind === 'list', 'the decision');
  assert.equal((await ed.stored())[0].note, 'Mine');
});

test('21: the buttons above the text of a conflict decide it', async (t) => {
  for (const [command, note] of [['todo.keep', 'Mine'], ['todo.take', 'Theirs'], ['todo.merge', 'Both']]) {
    const ed = await crossed(t);
    await ed.asks(ed.doc);
    await until(() => ed.desk.diffs.length === 1);
    if (command === 'todo.merge') ed.desk.type(ed.merged(), 'Buy milk\n\nBoth');
    if (command === 'todo.take') ed.answer('Take theirs'); // unsaved text is dropped
    await ed.menu('editor/title', command);
    assert.deepEqual(ed.desk.shown.filter(([kind]) => kind === 'error'), []);
    assert.equal((await ed.stored())[0].note, note);
    await until(() => ed.desk.tabs.length === 0, 'its editors are closed');
  }
});

test('21: a decision asks about the merged text that was just typed, and closes its editors', async (t) => {
  const ed = await crossed(t);
  await ed.act('Save');
  await until(() => ed.desk.diffs.length === 1);
  const merged = ed.merged();
  ed.desk.type(merged, 'Buy milk\n\nlater');
  const asked = [];
  ed.answer((question) => void asked.push([question.text, question.detail]));
  await ed.act('Keep mine');
  assert.deepEqual(asked, [['Keep mine, and drop what you typed as merged?', 'Buy milk']]);
  assert.equal((await ed.stored())[0].note, 'Theirs');
  assert.equal(merged.getText(), 'Buy milk\n\nlater');
  ed.answer('Keep mine');
  await ed.act('Keep mine');
  assert.equal((await ed.stored())[0].note, 'Mine');
  await until(() => ed.desk.tabs.length === 0);
  assert.deepEqual(ed.desk.documents, []);
});

test('21: a decision about sides that the user has not seen stores nothing, and the next one does', async (t) => {
  const ed = await crossed(t);
  await ed.act('Save');
  await until(() => ed.desk.diffs.length === 1);
  const [{ id }] = await ed.stored();
  const change = ed.session.request('editTodo', { id, note: 'Theirs, last' });
  ed.desk.shown.length = 0;
  await ed.run('todo.keep');
  assert.deepEqual(ed.desk.shown, [['error', 'This todo was changed elsewhere. Your edit was not saved.']]);
  await change;
  assert.equal((await ed.stored())[0].note, 'Theirs, last');
  assert.ok(ed.desk.documents.includes(ed.doc) && ed.doc.isDirty);
  await ed.run('todo.keep');
  assert.equal((await ed.stored())[0].note, 'Mine');
  await until(() => ed.desk.tabs.length === 0);
});

test('21: edits after a save that asks stay when the comparison is decided', async (t) => {
  const ed = await crossed(t);
  const saving = ed.doc.save();
  ed.desk.type(ed.doc, 'Buy milk\n\nMine, and more');
  assert.equal(await saving, false);
  await until(() => ed.desk.diffs.length === 1);
  ed.answer('Take theirs');
  await ed.act('Take theirs');
  await until(() => ed.desk.tabs.length === 1);
  assert.deepEqual([ed.doc.getText(), ed.doc.isDirty], ['Buy milk\n\nMine, and more', true]);
  await ed.asks(ed.doc);
  assert.equal((await ed.stored())[0].note, 'Theirs');
});

test('21: unsaved text from before a conflict does not overwrite how that was ended', async (t) => {
  const ed = await crossed(t);
  await ed.act('Save');
  ed.desk.type(ed.doc, 'Buy milk\n\nlater');
  ed.answer('Take theirs');
  await ed.act('Take theirs');
  assert.equal(ed.doc.getText(), 'Buy milk\n\nlater');
  const [{ id }] = await ed.stored();
  const note = 'Theirs'.padEnd(MILK.note.length); // VS Code itself sees a file of another size
  await ed.session.request('editTodo', { id, note });
  await ed.click('Buy milk');
  await ed.asks(ed.doc);
  assert.equal((await ed.stored())[0].note, note);
});

test('21: typing at the moment of a change elsewhere does not overwrite it', async (t) => {
  const ed = await opened(t);
  const [{ id }] = await ed.stored();
  // The server has shown it, and VS Code has not read the file yet.
  ed.desk.provider.onDidChangeFile(() => ed.doc.isDirty || ed.desk.type(ed.doc, 'Buy milk\n\nMine!!'));
  const note = 'Theirs'.padEnd(MILK.note.length); // VS Code itself sees a file of another size
  await ed.session.request('editTodo', { id, note });
  await until(() => ed.doc.isDirty);
  await ed.session.request('editTodo', { id, done: true });
  await ed.asks(ed.doc);
  assert.equal((await ed.stored())[0].note, note);
});

test('21: edits made while VS Code reads a change elsewhere do not overwrite it', async (t) => {
  const ed = await opened(t);
  const [{ id }] = await ed.stored();
  const { provider } = ed.desk;
  const { readFile } = provider;
  provider.readFile = (uri) => {
    // Before the timer with which the stub ends the reading, also on a slow machine.
    queueMicrotask(() => ed.doc.isDirty || ed.desk.type(ed.doc, 'Buy milk\n\nMine!!'));
    return readFile.call(provider, uri);
  };
  const note = 'Theirs'.padEnd(MILK.note.length);
  await ed.session.request('editTodo', { id, note });
  await until(() => ed.doc.isDirty);
  await ed.asks(ed.doc);
  assert.equal((await ed.stored())[0].note, note);
});

test('21: text that is typed back to the old one does not overwrite a change elsewhere', async (t) => {
  const ed = await crossed(t);
  ed.desk.type(ed.doc, 'Buy milk\n\nTwo litres\nor three');
  await ed.desk.save(ed.doc).catch(() => {});
  assert.equal((await ed.stored())[0].note, 'Theirs');
});

test('21: text that is typed during a save does not overwrite a change elsewhere after it', async (t) => {
  const ed = await opened(t);
  const [{ id }] = await ed.stored();
  ed.desk.type(ed.doc, 'Buy milk\n\nMine');
  // The response is read after the rendering of the change.
  const { ask } = ed.session;
  ed.session.ask = async (...params) => {
    const result = await ask.apply(ed.session, params);
    await until(() => ed.session.front.body.fields[1].value === 'Theirs');
    return result;
  };
  const saving = ed.desk.save(ed.doc);
  ed.desk.type(ed.doc, 'Buy milk\n\nMine, and more');
  await new Promise(setImmediate); // the save is sent
  ed.session.ask = ask;
  await ed.session.request('editTodo', { id, note: 'Theirs' });
  await saving;
  assert.deepEqual([ed.doc.getText(), ed.doc.isDirty], ['Buy milk\n\nMine, and more', true]);
  await ed.asks(ed.doc);
  assert.equal((await ed.stored())[0].note, 'Theirs');
});

test('21: after a change elsewhere was read, saving causes no conflict', async (t) => {
  const ed = await opened(t);
  const [{ id }] = await ed.stored();
  for (const note of ['One', 'Two']) {
    await ed.session.request('editTodo', { id, note });
    await until(() => ed.doc.getText().endsWith(note));
    ed.desk.type(ed.doc, `Buy milk\n\n${note} and mine`);
    await ed.desk.save(ed.doc);
    assert.equal((await ed.stored())[0].note, `${note} and mine`);
    await until(() => ed.session.stack.length === 3, 'the form is open again');
  }
});

test('21: after a change elsewhere that leaves the text alone, typing causes no conflict', async (t) => {
  const ed = await opened(t);
  const [{ id }] = await ed.stored();
  await ed.session.request('editTodo', { id, done: true });
  ed.desk.type(ed.doc, 'Buy milk\n\nmine');
  await ed.desk.save(ed.doc);
  assert.equal((await ed.stored())[0].note, 'mine');
  assert.deepEqual(ed.desk.shown, []);
});

test('never lose typed text: saving twice settles no conflict as mine by accident', async (t) => {
  const ed = await crossed(t);
  await ed.asks(ed.doc);
  await assert.rejects(ed.desk.save(ed.doc), /The text of “[^”]+” is not saved yet/);
  const merged = ed.merged();
  ed.answer(undefined);
  await assert.rejects(ed.desk.save(merged), /Nothing was saved/);
  assert.equal((await ed.stored())[0].note, 'Theirs');
  ed.answer('Save merged');
  await ed.desk.save(merged);
  assert.match((await ed.stored())[0].note, /Mine[^]*Theirs/, 'what it was then');
});

test('never lose typed text: a text that is in conflict when the server ends stays, and can be saved', async (t) => {
  const ed = await crossed(t);
  await ed.asks(ed.doc);
  ed.session.process.kill('SIGKILL');
  await until(() => ed.session.state === 'stopped');
  await ed.run('todo.restart');
  await ed.logIn();
  assert.ok(ed.desk.documents.includes(ed.doc) && ed.doc.isDirty);
  await ed.asks(ed.doc);
  await until(() => ed.merged());
  assert.match(ed.merged().getText(), /Mine[^]*Theirs/);
});

test('a conflict has its ways out above the text, and what changes meanwhile is shown', async (t) => {
  const ed = await crossed(t);
  await ed.asks(ed.doc);
  assert.ok(ed.can('keep') && ed.can('take') && ed.can('merge'));
  await until(() => ed.desk.diffs.length === 1);
  const merged = ed.merged();
  ed.desk.type(merged, 'Buy milk\n\nBoth');
  const [{ id }] = await ed.stored();
  await ed.session.request('editTodo', { id, note: 'Theirs, later' });
  await until(() => ed.side('Buy milk\n\nTheirs, later'));
  const asked = [];
  ed.answer((question) => void asked.push(question.text));
  await assert.rejects(ed.desk.save(merged), /Nothing was saved/);
  assert.match(asked[0], /^Theirs was changed after you wrote the merged text/);
  assert.equal((await ed.stored())[0].note, 'Theirs, later');
  assert.equal(merged.getText(), 'Buy milk\n\nBoth');
  // Sides that change while the question is asked were not seen by who answers it.
  const change = () => ed.session.request('editTodo', { id, note: 'Theirs, last' }).then(() => 'Save merged');
  ed.answer(change);
  await ed.asks(merged);
  assert.equal((await ed.stored())[0].note, 'Theirs, last');
  await until(() => ed.side('Buy milk\n\nTheirs, last'));
  ed.answer('Save merged');
  await ed.desk.save(merged);
  assert.equal((await ed.stored())[0].note, 'Both');
});

test('21: a merged text without edits follows theirs', async (t) => {
  const ed = await crossed(t);
  await ed.asks(ed.doc);
  await until(() => ed.desk.diffs.length === 1);
  const merged = ed.merged();
  const [{ id }] = await ed.stored();
  for (const note of ['Theirs, later', 'Theirs, last']) {
    await ed.session.request('editTodo', { id, note });
    await until(() => merged.getText().includes(`=== theirs\n${note}\n>>>`));
    assert.equal(merged.isDirty, false);
  }
  ed.answer('Save merged');
  await ed.act('Save merged');
  assert.match((await ed.stored())[0].note, /Mine[^]*Theirs, last/);
});

test('21: a yes about newer sides carries out a decision', async (t) => {
  for (const [title, stored] of [['Save merged', 'Both'], ['Keep mine', 'Mine'], ['Take theirs', 'Theirs, later']]) {
    const ed = await crossed(t);
    await ed.asks(ed.doc);
    await until(() => ed.desk.diffs.length === 1);
    ed.desk.type(ed.merged(), 'Buy milk\n\nBoth');
    await until(() => ed.session.front.body.fields.some(({ value }) => value === 'Buy milk\n\nBoth'));
    const [{ id }] = await ed.stored();
    await ed.session.request('editTodo', { id, note: 'Theirs, later' });
    await until(() => ed.side('Buy milk\n\nTheirs, later'));
    const asked = [];
    ed.answer((question) => (asked.push(question.text), title));
    await ed.act(title);
    await until(() => asked.length);
    assert.equal((await ed.stored())[0].note, stored, `${title}: ${asked}`);
  }
});

test('22: two editors on one store see each other, and neither overwrites the other', async (t) => {
  const one = await loggedIn(t, { add: [MILK] });
  const two = await loggedIn(t, {}, one.desk.configuration['todo.server.command']);
  const shows = (ed, title) => until(async () => (await ed.titles())[0] === title, title);
  for (const round of [1, 2, 3]) {
    for (const [from, to] of [[one, two], [two, one]]) {
      from.answer(`Round ${round}`);
      await from.act('Add');
      await shows(to, `Round ${round}`);
      await to.select(`Round ${round}`);
      to.answer('Remove');
      await to.act('Remove');
      await shows(from, 'Buy milk');
    }
  }
  await one.click('Buy milk');
  const text = await one.document();
  one.desk.type(text, 'Buy milk\n\nmine');
  await two.click('Buy milk');
  const other = await two.document();
  two.desk.type(other, 'Buy milk\n\ntheirs');
  await two.desk.save(other);
  await until(() => one.said('changed elsewhere while you were editing'));
  await one.asks(text);
  await until(() => one.desk.diffs.length === 1);
  const { todos } = await two.session.request('listTodos', {});
  assert.equal(todos[0].note, 'theirs');
});
