'use strict';

const test = require('node:test');
const { assert, assertQuick, editor, fs, loggedIn, path, until } = require('./support');
const { Connection } = require('../lib/rpc');

const AWKWARD = 'é ☕ 😀 漢字 "quotes" \\ backslash';

test('6, 8: the first screen, then loading, then the list', async (t) => {
  const ed = await editor(t);
  assert.deepEqual(ed.rows(), []); // looking at the view starts the server
  await ed.onTitle('Welcome');
  assert.deepEqual(ed.titles(), ['Name', 'Password']);
  assert.equal(ed.desk.contexts['todo.canFill'], true);
  const seen = [];
  ed.desk.views['todo.screen'].provider.onDidChangeTreeData(() => seen.push(ed.session.front?.name));
  ed.answer('ann');
  await ed.click('Name');
  await ed.act('Log in');
  await ed.onTitle('Todos of ann');
  assert.ok(seen.includes('loading'), `${seen}`);
  assert.ok(seen.indexOf('loading') < seen.indexOf('todoList'));
  assert.match(ed.view().message, /Nothing to do\./);
  assert.ok(ed.desk.progress.includes('begin'));
  await until(() => ed.desk.statusBar.text === '$(checklist) Todos of ann');
});

test('18: registering tells what is wrong while typing, then logs in', async (t) => {
  const ed = await editor(t);
  ed.answer(undefined);
  await ed.run('todo.open');
  await ed.act('Register');
  assert.deepEqual(ed.titles(), ['User name', 'Password']);
  ed.answer('short');
  await ed.click('User name');
  assert.deepEqual(ed.desk.problem, { message: 'At least 8 characters.', severity: 2 });
  assert.equal(ed.rows()[0].tooltip, 'At least 8 characters.');
  await assert.rejects(ed.act('Register'), /no row/, 'an action that is not possible cannot be clicked');
  ed.answer('annabella', 'correct horse');
  await ed.run('todo.fill');
  await until(() => ed.session.front.body.kind === 'list');
  assert.equal(ed.desk.problem, undefined);
});

test('7: the server says what is wrong with a login, and the screen stays', async (t) => {
  const ed = await editor(t);
  ed.answer(undefined);
  await ed.run('todo.open');
  await ed.act('Register');
  ed.answer('annabella', 'correct horse');
  await ed.run('todo.fill');
  await until(() => ed.session.front.body.kind === 'list');
  await ed.act('Log out');
  ed.answer('annabella', 'wrong horse');
  await ed.run('todo.fill');
  await until(() => ed.session.front.message?.level === 'error');
  assert.deepEqual(ed.desk.shown, [['error', ed.session.front.message.text]]);
  assert.equal(ed.view().title, 'Welcome');
  assert.equal(ed.view().message, ed.session.front.message.text);
});

test('9: a password is asked by the secret prompt only and stays nowhere', async (t) => {
  const ed = await editor(t);
  const asked = [];
  ed.answer('annabella', (question) => (asked.push(question), 'correct horse'));
  await ed.run('todo.open');
  assert.equal(asked[0].password, true);
  assert.equal(asked[0].value, '');
  const { spawnargs } = ed.session.connection.process;
  const everything = [ed.session, ed.desk.log, ed.desk.shown, ed.rows(), spawnargs];
  assert.doesNotMatch(JSON.stringify(everything), /correct horse/);
});

test('a field that was begun and given up is as before', async (t) => {
  const ed = await editor(t);
  ed.answer(async (question) => void (await question.validateInput('zoe')));
  await ed.run('todo.open');
  await until(() => ed.session.front.body.fields[0].value === '');
  assert.equal(ed.view().title, 'Welcome');
});

test('10: rows are rows: no ids in sight, done or not as an icon', async (t) => {
  const ed = await loggedIn(t, { add: [{ title: 'Buy milk' }] });
  const [row] = ed.rows();
  assert.equal(row.label, 'Buy milk');
  assert.equal(row.iconPath.id, 'circle-large-outline');
  assert.doesNotMatch(`${row.label}${row.description}${row.tooltip}`, new RegExp(row.id));
  ed.select('Buy milk');
  await ed.act('Done or not');
  assert.equal(ed.rows()[0].iconPath.id, 'pass');
});

test('add asks first; an empty answer is told, giving up adds nothing', async (t) => {
  const ed = await loggedIn(t);
  ed.answer('Buy milk');
  await ed.act('Add');
  assert.deepEqual(ed.titles(), ['Buy milk']);
  ed.answer(undefined);
  await ed.act('Add');
  ed.answer(' ');
  await ed.act('Add');
  assert.ok(ed.said('A title must not be blank.'));
  assert.equal(ed.desk.shown.length, 1, `one message: ${ed.desk.shown}`);
  assert.deepEqual(ed.titles(), ['Buy milk']);
});

test('the list of actions, for the screen and for a row', async (t) => {
  const ed = await loggedIn(t, { add: [{ title: 'Buy milk' }, { title: 'Fix the door' }] });
  const offered = [];
  const pick = (label) => ({ items }) => {
    offered.push(items.map((item) => item.label));
    return items.find((item) => item.label === label);
  };
  ed.answer(pick('Filter'), 'door');
  await ed.run('todo.act');
  assert.deepEqual(ed.titles(), ['Fix the door']);
  ed.answer(pick('Done or not'));
  await ed.run('todo.act', ed.select('Fix the door'));
  assert.equal(ed.rows()[0].iconPath.id, 'pass');
  assert.ok(offered[0].includes('Add') && !offered[0].includes('Open'));
  assert.ok(offered[1].includes('Open') && !offered[1].includes('Add'));
});

test('17: removing asks first; declining keeps it', async (t) => {
  const ed = await loggedIn(t, { add: [{ title: 'Buy milk' }] });
  ed.select('Buy milk');
  ed.answer(undefined);
  await ed.act('Remove');
  assert.deepEqual(ed.titles(), ['Buy milk']);
  const asked = [];
  ed.answer((question) => (asked.push(question), 'Remove'));
  await ed.act('Remove');
  assert.deepEqual(ed.titles(), []);
  assert.equal(asked[0].text, 'Remove this todo?');
});

test('a row has to be selected for what is done with a row', async (t) => {
  const ed = await loggedIn(t, { add: [{ title: 'Buy milk' }] });
  await ed.act('Remove');
  assert.ok(ed.said('Select a row for “Remove” first.'));
});

test('back goes by the left of the bar', async (t) => {
  const ed = await loggedIn(t);
  assert.equal(ed.desk.contexts['todo.canGoBack'], true);
  await ed.run('todo.back');
  assert.equal(ed.view().title, 'Welcome');
  assert.equal(ed.desk.contexts['todo.canGoBack'], false);
});

test('16: awkward texts come back byte for byte', async (t) => {
  const ed = await loggedIn(t);
  ed.answer(AWKWARD);
  await ed.act('Add');
  assert.deepEqual(ed.titles(), [AWKWARD]);
  await ed.click(AWKWARD);
  const document = await ed.document();
  for (const note of [AWKWARD, 'a\nb\n\nc\n', '\n\n  x\n\n', 'win\r\ndows\r\n', '\ufeffmark', '']) {
    ed.desk.type(document, `${AWKWARD}\n\n${note}`.replace(/\r?\n/g, note.includes('\r') ? '\r\n' : '\n'));
    await ed.desk.save(document);
    const { todos } = await ed.session.request('listTodos', {});
    assert.equal(todos[0].note, note);
    assert.equal(todos[0].title, AWKWARD);
  }
});

test('16: line ends that VS Code would mend are kept while nobody edits them', async (t) => {
  const note = 'one\r\ntwo\nthree\rfour';
  const ed = await loggedIn(t, { add: [{ title: 'Old', note }, { title: 'All', note: 'a\r\nb\r\n' }] });
  await ed.click('Old');
  const document = await ed.document();
  ed.desk.type(document, document.getText().replace('Old', 'New'));
  await ed.desk.save(document);
  const { todos } = await ed.session.request('listTodos', { query: 'New' });
  assert.equal(todos[0].note, note);
});

test('28: 1,500 rows come at once, a page of them as rows', async (t) => {
  const ed = await editor(t);
  const quiet = { onNotification() {}, onClose() {}, onStderr() {} };
  const filler = new Connection(ed.desk.configuration['todo.server.command'], quiet);
  await filler.request('initialize', { processId: process.pid });
  await filler.request('login', { name: 'ann' });
  await Promise.all(Array.from({ length: 1500 }, (_, n) => filler.request('addTodo', { title: `Row ${n}` })));
  await filler.stop();
  const before = process.cpuUsage();
  ed.answer('ann', '');
  await ed.run('todo.open');
  await until(() => ed.session.front.body.total === 1500);
  assert.equal(ed.rows().length, 501);
  assertQuick(before);
  assert.equal(ed.rows()[500].label, '1000 more…');
  await ed.click('1000 more…');
  assert.equal(ed.rows().length, 1001);
});

test('no file is left but the store of the server', async (t) => {
  const ed = await loggedIn(t, { add: [{ title: 'x' }] });
  await ed.end();
  const left = fs.readdirSync(ed.folder, { recursive: true }).map((file) => path.basename(file));
  assert.deepEqual(left.filter((file) => !/^todos\.sqlite|^credentials|^todo-server$/.test(file)), []);
});
