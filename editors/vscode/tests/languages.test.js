'use strict';

// The language of a text turns off auto save and all that changes the text while it is saved.

const test = require('node:test');
const { assert, loggedIn, until } = require('./support');

const isForm = (document) => until(() => document.languageId === 'todo-form', `not ${document.languageId}`);

/** An editor with an open todo that has unsaved text, and a note for each change of its language. */
async function typed(t, title, associations = {}) {
  const ed = await loggedIn(t, { add: [{ title, note: 'old' }] });
  ed.desk.configuration['files.associations'] = associations;
  ed.events = [];
  ed.vscode.workspace.onDidCloseTextDocument(() => ed.events.push('closed'));
  ed.vscode.workspace.onDidOpenTextDocument(({ languageId }) => ed.events.push(languageId));
  await ed.click(title);
  ed.doc = await ed.document();
  ed.desk.type(ed.doc, `${title}\n\nmine`);
  return ed;
}

test('a text has its language, whatever its title is and the user associates with that', async (t) => {
  const titles = { Dockerfile: 'dockerfile', 'tsconfig-a.json': 'jsonc', 'Update README.md': 'markdown' };
  for (const [title, other] of Object.entries(titles)) {
    const ed = await typed(t, title, { '*.md': 'markdown' });
    await isForm(ed.doc);
    assert.deepEqual(ed.events, [other, 'closed', 'todo-form']);
    assert.deepEqual([ed.doc.getText(), ed.doc.isDirty, ed.desk.tabs.length], [`${title}\n\nmine`, true, 1]);
    await ed.desk.save(ed.doc);
    assert.equal((await ed.session.request('listTodos', {})).todos[0].note, 'mine');
    assert.equal(ed.session.stack.length, 3, 'the form is open');
  }
});

test('unsaved text has its language after a reload, and when the associations of the user change', async (t) => {
  const ed = await typed(t, 'Dockerfile');
  await until(() => ed.session.front.body.fields[1].value === 'mine');
  await ed.reload();
  await isForm(ed.doc);
  await ed.run('todo.show');
  await ed.logIn();
  await ed.desk.save(ed.doc);
  assert.equal((await ed.session.request('listTodos', {})).todos[0].note, 'mine');
  const other = await typed(t, 'Buy milk');
  other.desk.configure('files.associations', { '*': 'markdown' });
  assert.deepEqual(other.events, ['todo-form', 'closed', 'markdown']);
  await isForm(other.doc);
  assert.deepEqual([other.doc.getText(), other.doc.isDirty], ['Buy milk\n\nmine', true]);
});
