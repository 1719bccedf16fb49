'use strict';

// Unsaved text that the server has kept, after an end in which VS Code has lost it.

const test = require('node:test');
const { MILK, assert, opened, until } = require('./support');
const { count } = require('./kills');
const { Session } = require('../lib/session');

/** An editor after an end of VS Code and the server in which they had the texts that were typed, one after the other. */
async function recovered(t, ...texts) {
  const ed = await opened(t, [MILK, { title: 'Fix the door' }]);
  const { desk } = ed;
  for (const text of texts) {
    desk.type(ed.doc, text);
    await until(() => text.endsWith(ed.session.front.body.fields[1].value), 'the server has the text');
    desk.documents = [];
    desk.tabs = [];
    await ed.reload({ forgets: true });
    await ed.run('todo.show');
    await ed.logIn();
    if (text === texts.at(-1)) break;
    const [{ id }] = (await ed.stored()).filter(({ title }) => title === 'Buy milk');
    const base = `ann/local/${id}/1`;
    await ed.session.request('screen/change', { screen: 'todoEdit', values: {}, base, open: true });
    ed.doc = await ed.document();
  }
  ed.badges = async () => (await ed.rows()).map(({ label, description }) => `${label} ${description.replace(/( · )?≡$/, '')}`.trim());
  return ed;
}

test('a recovered text is announced, has a badge, is opened, saved, and ends', async (t) => {
  const ed = await recovered(t, 'Buy milk\n\nmine');
  await until(() => /^1 unsaved text was recovered\./.test(ed.view().message));
  assert.deepEqual((await ed.badges()).sort(), ['Buy milk draft', 'Fix the door']);
  await ed.click('Buy milk');
  const document = await ed.document();
  assert.equal(document.getText(), 'Buy milk\n\nmine');
  assert.match(ed.view().message, /^Unsaved text from /);
  await ed.desk.save(document);
  assert.equal((await ed.stored()).find(({ title }) => title === 'Buy milk').note, 'mine');
  await until(async () => !`${await ed.badges()}`.includes('draft'));
});

test('closing the editor of a recovered text asks before that is discarded, and so does another row', async (t) => {
  const ed = await recovered(t, 'Buy milk\n\nmine');
  const asked = [];
  const stay = (question) => void asked.push([question.text, question.detail]);
  await ed.click('Buy milk');
  for (const leave of [async () => ed.desk.closeTabs(await ed.document()), () => ed.click('Fix the door')]) {
    ed.answer(stay);
    await leave();
    await until(() => asked.length && ed.desk.tabs.length === 1);
    assert.deepEqual(asked.splice(0), [['Discard what you typed?', 'Buy milk']]);
    assert.equal((await ed.document()).getText(), 'Buy milk\n\nmine');
  }
  ed.desk.type(await ed.document(), 'Buy milk\n\nmine, and more');
  await until(() => ed.session.front.body.fields[1].value === 'mine, and more');
  ed.desk.revert(await ed.document());
  await until(() => ed.session.front.body.fields[1].value === 'mine', 'the recovered text is still there');
  ed.answer('Discard');
  await ed.act('Discard');
  await until(async () => !`${await ed.badges()}`.includes('draft'));
  assert.equal((await ed.stored()).find(({ title }) => title === 'Buy milk').note, MILK.note);
});

test('several recovered texts are a choice, in which each is opened, or discarded after a question', async (t) => {
  const ed = await recovered(t, 'Buy milk\n\nfirst', 'Buy milk\n\nother');
  await until(() => /^2 unsaved texts were recovered\./.test(ed.view().message));
  await ed.click('Buy milk');
  await ed.onTitle('Unsaved texts');
  assert.deepEqual((await ed.badges()).map((row) => row.replace(/ \d.* UTC/, '')), ['Buy milk: other', 'Buy milk: first']);
  const [row] = await ed.rows();
  const asked = [];
  ed.answer((question) => (asked.push([question.text, question.detail]), 'Discard'));
  await ed.press('delete', row.label);
  assert.deepEqual(asked, [['Discard this text?', 'Buy milk']]);
  await until(async () => (await ed.rows()).length === 1);
  await ed.click('Buy milk');
  assert.equal((await ed.document()).getText(), 'Buy milk\n\nfirst');
});

test('text that VS Code still has takes the place of the recovered one', async (t) => {
  const ed = await opened(t);
  ed.desk.type(ed.doc, 'Buy milk\n\nmine');
  await until(() => ed.session.front.body.fields[1].value === 'mine');
  await ed.reload();
  ed.desk.type(ed.doc, 'Buy milk\n\nmine, and more');
  await ed.run('todo.show');
  await ed.logIn();
  await until(async () => (await ed.rows())[0].description === 'draft · ≡');
  await ed.click('Buy milk');
  assert.equal(await ed.document(), ed.doc);
  assert.equal(ed.doc.getText(), 'Buy milk\n\nmine, and more');
  await ed.desk.save(ed.doc);
  assert.equal((await ed.stored())[0].note, 'mine, and more');
  await until(async () => (await ed.rows())[0].description === '≡');
});

test('text that VS Code still has leaves another recovered text of the todo as it is', async (t) => {
  const ed = await opened(t);
  ed.desk.type(ed.doc, 'Buy milk\n\nmine');
  await until(() => ed.session.front.body.fields[1].value === 'mine');
  const two = new Session(() => ed.desk.configuration['todo.server.command'], { render() {}, died() {}, log() {} });
  await two.start();
  await two.request('login', { name: 'ann' });
  const [{ id }] = await until(() => two.front.body.items);
  await two.ask('act', two.front, { action: 'open', item: id });
  await two.ask('change', two.front, { values: { note: 'from another window' } });
  await two.stop();
  await ed.reload();
  await ed.run('todo.show');
  await ed.logIn();
  await until(() => /^2 unsaved texts/.test(ed.view().message));
  await ed.click('Buy milk');
  assert.equal(await ed.document(), ed.doc);
  await ed.desk.save(ed.doc);
  assert.equal((await ed.stored())[0].note, 'mine');
  await ed.desk.closeTabs(ed.doc);
  await until(() => ed.session.stack.length === 2);
  await ed.click('Buy milk');
  assert.equal((await ed.document()).getText(), 'Buy milk\n\nfrom another window');
});

test('a text that is 2 s old survives a kill of VS Code and the server', async () => {
  assert.equal(await count(2), 2);
});
