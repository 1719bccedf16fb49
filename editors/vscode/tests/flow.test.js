'use strict';

const test = require('node:test');
const { execFileSync } = require('node:child_process');
const { assert, assertQuick, editor, fs, loggedIn, path, until } = require('./support');

const AWKWARD = 'é ☕ 😀 漢字 "quotes" \\ backslash';

test('6, 8: the first screen, then loading, then the list', async (t) => {
  const ed = await editor(t);
  assert.deepEqual(await ed.rows(), []); // looking at the view starts the server
  await ed.onTitle('Welcome');
  assert.deepEqual(await ed.titles(), ['Name', 'Password']);
  const seen = [];
  const spins = [];
  ed.desk.views['todo.screen'].provider.onDidChangeTreeData(() => {
    seen.push(ed.session.front?.name);
    spins.push(ed.desk.statusBar.text);
  });
  ed.answer('ann');
  await ed.click('Name');
  await ed.act('Log in');
  await ed.onTitle('Todos of ann');
  assert.ok(seen.includes('loading'), `${seen}`);
  assert.ok(seen.indexOf('loading') < seen.indexOf('todoList'));
  await until(() => spins.includes('$(sync~spin) Loading'));
  assert.match(ed.view().message, /Nothing to do\./);
  await until(() => ed.desk.statusBar.text === '$(checklist) Todos of ann');
});

test('18: registering tells what is wrong while typing, then logs in', async (t) => {
  const ed = await editor(t);
  await ed.run('todo.open');
  await ed.act('Register');
  assert.deepEqual(await ed.titles(), ['User name', 'Password']);
  ed.answer('short');
  await ed.click('User name');
  assert.deepEqual(ed.desk.problem, { message: 'At least 8 characters.', severity: 2 });
  assert.equal((await ed.rows())[0].tooltip, 'At least 8 characters.');
  await ed.act('Register');
  assert.ok(ed.said('“Register” is not possible now. At least 8 characters.'));
  await ed.fill('Register', 'annabella', 'correct horse');
  await until(() => ed.session.front.body.kind === 'list');
  assert.equal(ed.desk.problem, undefined);
});

test('7: the server says what is wrong with a login, and the screen stays', async (t) => {
  const ed = await editor(t);
  await ed.run('todo.open');
  await ed.act('Register');
  await ed.fill('Register', 'annabella', 'correct horse');
  await until(() => ed.session.front.body.kind === 'list');
  await ed.act('Log out');
  await ed.fill('Log in', 'annabella', 'wrong horse');
  await until(() => ed.session.front.message?.level === 'error');
  assert.deepEqual(ed.desk.shown, [['error', ed.session.front.message.text]]);
  assert.equal(ed.view().title, 'Welcome');
  assert.equal(ed.view().message, ed.session.front.message.text);
});

test('9: a password is asked by the secret prompt only, and is in no file, argument or message', async (t) => {
  const ed = await editor(t);
  const asked = [];
  await ed.run('todo.open');
  await ed.act('Register');
  await ed.fill('Register', 'annabella', (question) => (asked.push(question), 'correct horse'));
  await until(() => ed.session.front.body.kind === 'list');
  assert.equal(asked[0].password, true);
  assert.equal(asked[0].value, '');
  const { spawnargs } = ed.session.process;
  const environment = fs.readFileSync(`/proc/${ed.session.process.pid}/environ`, 'utf8');
  const { session: shown, desk } = ed;
  const everything = [shown, desk.log, desk.shown, desk.documents, await ed.rows(), spawnargs, environment];
  assert.doesNotMatch(JSON.stringify(everything), /correct horse/);
  const files = fs.readdirSync(ed.folder, { recursive: true }).map((file) => path.join(ed.folder, file));
  const isFile = (file) => fs.statSync(file).isFile();
  for (const file of files.filter(isFile)) assert.ok(!fs.readFileSync(file).includes('correct horse'), file);
  assert.ok(files.some(isFile), 'there is at least the store');
});

test('a field that was begun and given up is as before', async (t) => {
  const ed = await editor(t);
  await ed.run('todo.open');
  ed.answer(async (question) => void (await question.validateInput('zoe')));
  await ed.click('Name');
  await until(() => ed.session.front.body.fields[0].value === '');
  assert.equal(ed.view().title, 'Welcome');
});

test('10: rows are rows: no ids in sight, done or not as an icon', async (t) => {
  const ed = await loggedIn(t, { add: [{ title: 'Buy milk' }] });
  const [row] = await ed.rows();
  assert.equal(row.label, 'Buy milk');
  assert.equal(row.iconPath.id, 'circle-large-outline');
  assert.doesNotMatch(`${row.label}${row.description}${row.tooltip}`, new RegExp(row.id));
  await ed.select('Buy milk');
  await ed.act('Done or not');
  assert.equal((await ed.rows())[0].iconPath.id, 'pass');
});

test('add asks first; an empty answer is told, giving up adds nothing', async (t) => {
  const ed = await loggedIn(t);
  ed.answer('Buy milk');
  await ed.act('Add');
  assert.deepEqual(await ed.titles(), ['Buy milk']);
  ed.answer(undefined);
  await ed.act('Add');
  ed.answer(' ');
  await ed.act('Add');
  assert.ok(ed.said('A title must not be blank.'));
  assert.equal(ed.desk.shown.length, 1, `one message: ${ed.desk.shown}`);
  assert.deepEqual(await ed.titles(), ['Buy milk']);
});

test('the actions of a row: its button selects it and leads to the actions', async (t) => {
  const ed = await loggedIn(t, { add: [{ title: 'Buy milk' }, { title: 'Fix the door' }] });
  ed.answer('door');
  await ed.act('Filter');
  assert.deepEqual(await ed.titles(), ['Fix the door']);
  const [row] = await ed.rows();
  await ed.run('todo.act', row);
  assert.equal(ed.desk.focused.at(-1), 'todo.actions');
  await ed.act('Done or not');
  assert.equal((await ed.rows())[0].iconPath.id, 'pass');
});

test('17: removing asks first; declining keeps it', async (t) => {
  const ed = await loggedIn(t, { add: [{ title: 'Buy milk' }] });
  await ed.select('Buy milk');
  ed.answer(undefined);
  await ed.act('Remove');
  assert.deepEqual(await ed.titles(), ['Buy milk']);
  const asked = [];
  ed.answer((question) => (asked.push(question), 'Remove'));
  await ed.act('Remove');
  assert.deepEqual(await ed.titles(), []);
  assert.equal(asked[0].text, 'Remove this todo?');
});

test('a row has to be selected for what is done with a row', async (t) => {
  const ed = await loggedIn(t, { add: [{ title: 'Buy milk' }] });
  await ed.act('Remove');
  assert.ok(ed.said('Select a row for “Remove” first.'));
});

test('back goes by the left of the bar', async (t) => {
  const ed = await loggedIn(t);
  await ed.run('todo.back');
  assert.equal(ed.view().title, 'Welcome');
  await ed.run('todo.back');
  assert.equal(ed.view().title, 'Welcome', 'there is no way back from here');
});

test('16: awkward texts come back byte for byte', async (t) => {
  const ed = await loggedIn(t);
  ed.answer(AWKWARD);
  await ed.act('Add');
  assert.deepEqual(await ed.titles(), [AWKWARD]);
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

test('undo and redo change the row back and forth', async (t) => {
  const ed = await loggedIn(t, { add: [{ title: 'Buy milk' }] });
  const mark = async () => (await ed.rows())[0].iconPath.id;
  await ed.select('Buy milk');
  await ed.act('Done or not');
  for (let round = 0; round < 2; round += 1) {
    assert.equal(await mark(), 'pass');
    await ed.act('Undo');
    assert.equal(await mark(), 'circle-large-outline');
    await ed.act('Redo');
  }
  assert.equal(await mark(), 'pass');
});

test('28: of 100,000 rows a part comes within a second, more on demand, and the selection stays', async (t) => {
  const ed = await editor(t);
  const command = ed.desk.configuration['todo.server.command'];
  const lines = Array.from({ length: 100_000 }, (_, number) => `{"title":"Row ${number}"}`);
  const input = ['{"format":"todo-server","version":1}', ...lines, ''].join('\n');
  execFileSync(command[0], ['import', '--name', 'ann', ...command.slice(1)], { input, stdio: 'pipe' });
  await ed.run('todo.open');
  const before = process.cpuUsage();
  await ed.logIn();
  assert.equal((await ed.rows()).length, 501);
  assertQuick(before);
  assert.equal(ed.view().description, '100000');
  assert.equal((await ed.rows())[500].label, '99500 more…');
  await ed.click('99500 more…');
  assert.equal((await ed.rows()).length, 1001);
  const { id } = await ed.select('Row 700');
  await ed.session.request('addTodo', { title: 'New' });
  const rows = await ed.rows();
  assert.equal(rows[0].label, 'New');
  assert.equal(rows[701].id, id, 'VS Code keeps what is selected by its id');
  await ed.act('Done or not');
  assert.equal((await ed.rows())[701].iconPath.id, 'pass');
});

test('no file is left but the store of the server', async (t) => {
  const ed = await loggedIn(t, { add: [{ title: 'x' }] });
  await ed.end();
  const left = fs.readdirSync(ed.folder, { recursive: true }).map((file) => path.basename(file));
  assert.deepEqual(left.filter((file) => !/^todos\.sqlite|^credentials|^todo-server$/.test(file)), []);
});
