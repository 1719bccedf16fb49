'use strict';

const test = require('node:test');
const { execFileSync } = require('node:child_process');
const { assert, editor, fs, loggedIn, path, until } = require('./support');

const AWKWARD = 'é ☕ 😀 漢字 "quotes" \\ backslash';

test('6, 8: the first screen, then loading, then the list', async (t) => {
  const ed = await editor(t);
  assert.deepEqual(await ed.rows(), []); // looking at the view starts the server
  await ed.onTitle('Welcome');
  assert.ok(ed.can('login') && ed.can('register'), 'the view has a button for each');
  const seen = [];
  const spins = [];
  ed.desk.views['todo.screen'].provider.onDidChangeTreeData(() => {
    seen.push(ed.session.front?.name);
    spins.push(ed.desk.statusBar.text);
  });
  ed.answer('ann', '');
  await ed.run('todo.login');
  await ed.onTitle('Todos of ann');
  assert.ok(seen.includes('loading'), `${seen}`);
  assert.ok(seen.indexOf('loading') < seen.indexOf('todoList'));
  await until(() => spins.includes('$(sync~spin) Loading'));
  assert.match(ed.view().message, /Nothing to do\./);
  await until(() => ed.desk.statusBar.text === '$(checklist) Todos of ann');
  assert.equal(ed.view().badge, undefined, 'there is nothing to count');
});

test('18: registering asks for its fields, tells what is wrong while typing, then logs in', async (t) => {
  const ed = await editor(t);
  await ed.run('todo.show');
  ed.answer('short', undefined);
  await ed.run('todo.register');
  assert.deepEqual(ed.desk.problem, { message: 'At least 8 characters.', severity: 2 });
  assert.equal(ed.view().title, 'Register', 'the form is still there');
  ed.answer('short', 'short');
  await ed.run('todo.register');
  assert.ok(ed.said('At least 8 characters.'));
  ed.answer('annabella', 'correct horse');
  await ed.run('todo.register');
  await until(() => ed.session.front.body.kind === 'list');
  assert.equal(ed.desk.problem, undefined);
});

/** A registered user, logged out again. */
async function registered(t) {
  const ed = await editor(t);
  const asked = [];
  await ed.run('todo.show');
  ed.answer('annabella', (question) => (asked.push(question), 'correct horse'));
  await ed.run('todo.register');
  await until(() => ed.session.front.body.kind === 'list');
  return Object.assign(ed, { asked });
}

test('7: the server says what is wrong with a login, and the screen stays', async (t) => {
  const ed = await registered(t);
  await ed.run('todo.logout');
  ed.answer('annabella', 'wrong horse');
  await ed.run('todo.login');
  await until(() => ed.session.front.message?.level === 'error');
  assert.deepEqual(ed.desk.shown, [['error', ed.session.front.message.text]]);
  assert.equal(ed.view().title, 'Welcome');
  assert.equal(ed.view().message, ed.session.front.message.text);
});

test('6: the buttons of a form are in sight, whatever the server says or has said', async (t) => {
  const ed = await registered(t);
  assert.deepEqual(await ed.buttons(), []);
  assert.equal(ed.view().message, 'Nothing to do.');
  await ed.run('todo.logout');
  assert.deepEqual(await ed.buttons(), ['todo.login', 'todo.register']);
  ed.answer('annabella', 'wrong horse');
  await ed.run('todo.login');
  await until(() => ed.session.front.message?.level === 'error');
  assert.deepEqual(await ed.buttons(), ['todo.login', 'todo.register']);
  ed.session.process.kill('SIGKILL');
  await until(() => ed.session.state === 'stopped');
  assert.deepEqual(await ed.buttons(), ['todo.restart', 'todo.doctor']);
});

test('9: a password is asked by the secret prompt only, and is in no file, argument or message', async (t) => {
  process.env.TODO_SERVER_DEBUGGABLE = '1'; // else only root may read its environment
  t.after(() => delete process.env.TODO_SERVER_DEBUGGABLE);
  const ed = await registered(t);
  assert.equal(ed.asked[0].password, true);
  assert.equal(ed.asked[0].value, '');
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

test('10: rows are rows: no ids in sight, a check box that ticks off, done ones dim', async (t) => {
  const ed = await loggedIn(t, { add: [{ title: 'Buy milk' }] });
  const [row] = await ed.rows();
  assert.equal(row.label, 'Buy milk');
  assert.deepEqual([row.checkboxState.state, row.iconPath], [0, undefined], 'and no room for an icon');
  assert.equal(row.resourceUri, undefined, 'nothing colours it');
  assert.doesNotMatch(`${row.label}${row.description}${row.tooltip}`, new RegExp(row.id));
  await ed.tick('Buy milk');
  assert.equal(await ed.isTicked('Buy milk'), true);
  const done = (await ed.rows()).find(({ label }) => label === 'Buy milk');
  const { color } = ed.desk.decorations.provideFileDecoration(done.resourceUri);
  assert.equal(color.id, 'disabledForeground');
  assert.equal(done.iconPath.id, 'check', 'not the icon of a file');
});

test('rows and their boxes have names that say their state', async (t) => {
  const ed = await loggedIn(t, { add: [{ title: 'Buy milk' }] });
  const names = async () => {
    const { accessibilityInformation, checkboxState } = (await ed.rows()).at(-1);
    return [accessibilityInformation.label, checkboxState.accessibilityInformation.label, checkboxState.tooltip];
  };
  assert.deepEqual(await names(), ['Buy milk, not done', 'Buy milk, not done', 'not done']);
  await ed.tick('Buy milk');
  assert.deepEqual(await names(), ['Buy milk, done', 'Buy milk, done', 'done']);
});

test('done rows are below the others, folded, and counted in the bar and on the icon', async (t) => {
  const ed = await loggedIn(t, { add: [{ title: 'Buy milk' }, { title: 'Fix the door' }, { title: 'Pay the rent' }] });
  await ed.tick('Fix the door');
  assert.deepEqual(await ed.titles(), ['Pay the rent', 'Buy milk', 'Done', 'Fix the door']);
  const { collapsibleState, description, checkboxState } = (await ed.rows())[2];
  assert.deepEqual([collapsibleState, description, checkboxState], [1, '1', undefined]);
  assert.match(ed.desk.statusBar.text, /Todos of ann, 2 open, 1 done$/);
  assert.deepEqual(ed.view().badge, { value: 2, tooltip: '2 open, 1 done' });
  let drawn = 0;
  ed.desk.views['todo.screen'].provider.onDidChangeTreeData(() => (drawn += 1));
  ed.desk.configure('todo.list.foldDone', false);
  assert.equal(drawn, 1, 'the setting has an effect immediately');
  assert.deepEqual(await ed.titles(), ['Pay the rent', 'Fix the door', 'Buy milk']);
  assert.equal((await ed.rows())[1].iconPath, undefined, 'no column of icons for one row');
});

test('Space ticks the row with the cursor, and arrow keys have not selected it', async (t) => {
  const ed = await loggedIn(t, { add: [{ title: 'Buy milk' }, { title: 'Fix the door' }] });
  await ed.select('Buy milk');
  await ed.press('space', 'Fix the door');
  assert.equal(await ed.isTicked('Fix the door'), true);
  assert.equal(await ed.isTicked('Buy milk'), false);
  await ed.press('space', 'Done');
  assert.equal(ed.desk.cursor.collapsibleState, 2, 'a heading unfolds');
  await ed.press('space', 'Fix the door');
  assert.equal(await ed.isTicked('Fix the door'), false);
});

test('several selected rows are one question and one undo', async (t) => {
  const ed = await loggedIn(t, { add: [{ title: 'Buy milk' }, { title: 'Fix the door' }, { title: 'Pay the rent' }] });
  const both = async () => {
    ed.view().selection = (await ed.rows()).filter(({ label }) => ['Buy milk', 'Pay the rent'].includes(label));
  };
  await both();
  await ed.press('space', 'Buy milk');
  assert.equal(ed.desk.statusBar.text, '$(checklist) Todos of ann, 1 open, 2 done');
  await ed.run('todo.undo');
  assert.equal(ed.desk.statusBar.text, '$(checklist) Todos of ann, 3 open');
  await both();
  const asked = [];
  ed.answer((question) => (asked.push(question.text), question.buttons[0]));
  await ed.press('delete', 'Buy milk');
  assert.deepEqual(asked, ['Remove 2 todos?']);
  assert.deepEqual(await ed.titles(), ['Fix the door']);
});

test('the box of a password tells when it may be empty', async (t) => {
  const ed = await editor(t);
  await ed.run('todo.show');
  const boxes = [];
  const box = (text) => (question) => (boxes.push(question.placeHolder), text);
  ed.answer(box('annabella'), box(undefined));
  await ed.run('todo.register');
  ed.answer('Back');
  await ed.run('todo.back');
  ed.answer(box('ann'), box(''));
  await ed.run('todo.login');
  assert.deepEqual(boxes, [undefined, undefined, undefined, 'May be empty']);
});

test('add asks first; an empty answer is reported, and cancelling adds nothing', async (t) => {
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

test('filter, done or not and remove are for the row of their menu, or for the selected one', async (t) => {
  const ed = await loggedIn(t, { add: [{ title: 'Buy milk' }, { title: 'Fix the door' }] });
  ed.answer('door');
  await ed.menu('view/title', 'todo.search');
  assert.deepEqual(await ed.titles(), ['Fix the door']);
  const [row] = await ed.rows();
  await ed.menu('view/item/context', 'todo.toggle', row);
  assert.equal(await ed.isTicked('Fix the door'), true);
  ed.answer('Remove');
  await ed.menu('view/item/context', 'todo.remove', row);
  assert.deepEqual(await ed.titles(), []);
});

test('a filter is completed with qualifiers and labels, one word after the other', async (t) => {
  const todos = [{ title: 'Buy milk', labels: ['at home'] }, { title: 'Pay' }];
  const ed = await loggedIn(t, { add: todos });
  const [home, open] = ['-label:"at home"', '-label:"at home" is:open'];
  let last;
  ed.answer({ text: '-la', choose: home }, { text: `${home} is:o`, choose: open }, (question) => (last = question).value);
  await ed.menu('view/title', 'todo.search');
  assert.deepEqual([last.value, last.choices], [open, [open]]);
  assert.deepEqual(await ed.titles(), ['Pay']);
  ed.answer(undefined);
  await ed.menu('view/title', 'todo.search');
  assert.deepEqual(await ed.titles(), ['Pay']);
});

test('what was added is selected, once, and brings no view into sight', async (t) => {
  const ed = await loggedIn(t, { add: [{ title: 'Buy milk' }] });
  ed.view().visible = false;
  ed.answer('Pay the rent');
  await ed.run('todo.create');
  assert.equal(ed.view().visible, false);
  ed.view().visible = true;
  ed.answer('Fix the door');
  await ed.run('todo.create');
  assert.equal(ed.view().selection[0].label, 'Fix the door');
  await ed.select('Buy milk');
  await ed.session.request('addTodo', { title: 'By a script' });
  assert.equal(ed.view().selection[0].label, 'Buy milk');
});

test('nothing is open: adding says what comes first', async (t) => {
  const ed = await editor(t);
  await ed.run('todo.create');
  assert.deepEqual(ed.desk.shown, [['error', '“Welcome” has nothing for that.']]);
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
  assert.deepEqual([asked[0].text, asked[0].detail], ['Remove this todo?', 'Buy milk']);
});

test('17: a question about a screen without a subject names the screen', async (t) => {
  const ed = await editor(t);
  await ed.run('todo.show');
  ed.answer('ann', undefined);
  await ed.run('todo.register');
  const asked = [];
  ed.answer((question) => (asked.push([question.text, question.detail]), 'Back'));
  await ed.run('todo.back');
  assert.deepEqual(asked, [['Leave without registering?', 'Register']]);
  assert.equal(ed.view().title, 'Welcome');
});

test('17: a key is for the row with the cursor, which may not be the selected one', async (t) => {
  const ed = await loggedIn(t, { add: [{ title: 'Buy milk' }, { title: 'Fix the door' }, { title: 'Pay the rent' }] });
  await ed.select('Fix the door');
  const asked = [];
  ed.answer((question) => void asked.push(question.detail));
  await ed.press('delete', 'Buy milk');
  assert.deepEqual(asked, ['Buy milk']);
  assert.deepEqual(ed.view().selection.map(({ label }) => label), ['Buy milk'], 'the row is the selected one now');
  ed.answer('Remove');
  await ed.press('delete', 'Buy milk');
  assert.deepEqual((await ed.titles()).sort(), ['Fix the door', 'Pay the rent'], 'also if it is selected already');
  await ed.select('Fix the door');
  ed.answer(({ items }) => items.find(({ label, description }) => label === 'Remove' && description === 'Pay the rent'),
    'Remove');
  await ed.press('alt+enter', 'Pay the rent');
  assert.deepEqual(await ed.titles(), ['Fix the door']);
  assert.deepEqual(ed.desk.shown.filter(([kind]) => kind === 'error'), []);
});

test('an action on rows reports that no row is selected', async (t) => {
  const ed = await loggedIn(t, { add: [{ title: 'Buy milk' }] });
  await ed.act('Remove');
  assert.ok(ed.said('Select a row for “Remove” first.'));
});

test('back leaves, and never logs out', async (t) => {
  const ed = await loggedIn(t);
  assert.equal(ed.can('back'), false);
  await ed.run('todo.back');
  assert.equal(ed.view().title, 'Todos of ann');
  await ed.run('todo.logout');
  assert.equal(ed.view().title, 'Welcome');
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

test('16: line ends that VS Code would normalize are kept unless the user edits them', async (t) => {
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
  await ed.tick('Buy milk');
  for (const round of [1, 2]) {
    assert.equal(await ed.isTicked('Buy milk'), true, `round ${round}`);
    await ed.run('todo.undo');
    assert.equal(await ed.isTicked('Buy milk'), false);
    await ed.run('todo.redo');
  }
  assert.equal(await ed.isTicked('Buy milk'), true);
});

test('28: of 100,000 rows a part is requested and drawn, more on demand, and the selection stays', async (t) => {
  const ed = await editor(t);
  const command = ed.desk.configuration['todo.server.command'];
  const lines = Array.from({ length: 100_000 }, (_, number) => `{"title":"Row ${number}"}`);
  const input = ['{"format":"todo-server","version":1}', ...lines, ''].join('\n');
  execFileSync(command[0], ['import', '--name', 'ann', ...command.slice(1)], { input, stdio: 'pipe' });
  await ed.run('todo.show');
  const { TreeItem } = ed.vscode;
  const drawn = t.mock.method(ed.vscode, 'TreeItem', function Row(...params) {
    return new TreeItem(...params);
  });
  await ed.logIn();
  assert.ok(ed.session.front.body.items.length === 500, 'no more than these have come');
  drawn.mock.resetCalls();
  assert.equal((await ed.rows()).length, 501);
  assert.equal(drawn.mock.callCount(), 501, 'each row is made once');
  assert.equal(ed.view().badge.value, 100_000);
  assert.match(ed.desk.statusBar.text, /, 100000 rows$/);
  assert.equal((await ed.rows())[500].label, '99500 more…');
  await ed.click('99500 more…');
  assert.equal((await ed.rows()).length, 1001);
  const { id } = await ed.select('Row 700');
  await ed.session.request('addTodo', { title: 'New' });
  const rows = await ed.rows();
  assert.equal(rows[0].label, 'New');
  assert.equal(rows[701].id, id, 'VS Code keeps what is selected by its id');
  await ed.act('Done or not');
  assert.equal((await ed.rows()).find((row) => row.id === id).checkboxState.state, 1);
});

test('no file is left but the store of the server', async (t) => {
  const ed = await loggedIn(t, { add: [{ title: 'x' }] });
  await ed.end();
  const left = fs.readdirSync(ed.folder, { recursive: true }).map((file) => path.basename(file));
  assert.deepEqual(left.filter((file) => !/^todos\.sqlite|^credentials|^todo-server$/.test(file)), []);
});
