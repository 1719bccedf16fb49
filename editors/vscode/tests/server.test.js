'use strict';

const test = require('node:test');
const { ROOT, assert, editor, fs, loggedIn, path, toy, until } = require('./support');
const { spawn } = require('node:child_process');

function isGone(pid) {
  try {
    return fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1][0] === 'Z';
  } catch {
    return true;
  }
}

test('23, 24: a killed server is reported in one line, unsaved text stays, restarting works, twice', async (t) => {
  const ed = await loggedIn(t, { add: [{ title: 'Buy milk', note: 'x' }] });
  await ed.click('Buy milk');
  const document = await ed.document();
  ed.desk.type(document, 'Buy milk\n\nunsaved');
  for (const round of [1, 2]) {
    ed.desk.shown.length = 0;
    ed.session.process.kill('SIGKILL');
    await until(() => ed.session.state === 'stopped');
    assert.deepEqual(ed.desk.shown, [['error', 'Todo: The server ended (SIGKILL).']]);
    assert.equal(ed.desk.contexts['todo.state'], 'stopped');
    assert.equal(ed.desk.statusBar.text, '$(error) Todo');
    assert.deepEqual(await ed.rows(), []);
    await assert.rejects(ed.desk.save(document), /The server is not running/);
    await ed.run('todo.restart');
    assert.equal(ed.view().title, 'Welcome');
    await ed.logIn();
    assert.equal(document.getText(), 'Buy milk\n\nunsaved', `round ${round}`);
  }
  assert.equal(ed.desk.tabs.length, 1);
  await ed.desk.save(document);
  assert.equal(document.isDirty, false);
  const { todos } = await ed.session.request('listTodos', {});
  assert.equal(todos[0].note, 'unsaved');
});

test('23: the title of a new todo is offered again after the server has ended without a response', async (t) => {
  const ed = await loggedIn(t);
  ed.answer(() => {
    ed.session.process.kill('SIGSTOP'); // the request is sent, but never read
    setTimeout(() => ed.session.process.kill('SIGKILL'), 50);
    return 'Buy milk';
  });
  await ed.run('todo.create');
  await until(() => ed.session.state === 'stopped');
  await ed.run('todo.restart');
  await ed.logIn();
  const offered = [];
  for (let round = 0; round < 2; round += 1) {
    ed.answer(({ value }) => (offered.push(value), value || undefined));
    await ed.run('todo.create');
  }
  assert.deepEqual(offered, ['Buy milk', '']);
  assert.deepEqual((await ed.rows()).map(({ label }) => label), ['Buy milk']);
});

test('23: the unsaved text of a lost form does not overwrite what was changed meanwhile', async (t) => {
  const ed = await loggedIn(t, { add: [{ title: 'Buy milk', note: 'x' }] });
  await ed.click('Buy milk');
  const document = await ed.document();
  ed.desk.type(document, 'Buy milk\n\nmine');
  await ed.run('todo.restart');
  await ed.logIn();
  const { todos } = await ed.session.request('listTodos', {});
  // The file has the same size, so that VS Code itself would consider it unchanged.
  await ed.session.request('editTodo', { id: todos[0].id, note: '!' });
  await ed.click('Buy milk');
  await ed.asks(document);
  assert.equal((await ed.session.request('listTodos', {})).todos[0].note, '!');
  assert.equal(document.getText(), 'Buy milk\n\nmine');
  await until(() => ed.desk.diffs.length === 1);
  assert.deepEqual(ed.desk.diffs, ['Changed elsewhere: Theirs (open) ↔ Merged (open)']);
});

test('23: the button of the message restarts', async (t) => {
  const ed = await loggedIn(t);
  ed.answer(({ buttons }) => buttons[0]);
  const { process: first } = ed.session;
  first.kill('SIGKILL');
  await ed.onTitle('Welcome');
  assert.notEqual(ed.session.process.pid, first.pid);
});

test('25: a server that is missing or cannot be executed is reported, and the setting corrects it', async (t) => {
  const ed = await editor(t, ['/no/such/server']);
  const works = toy('list');
  await ed.run('todo.show');
  assert.match(ed.desk.shown.pop()[1], /“\/no\/such\/server” was not found\. The setting todo\.server\.command/);
  for (const [command, words] of [[['no-such-server'], /was not found/], [[], /is empty/]]) {
    ed.desk.configuration['todo.server.command'] = command;
    await ed.run('todo.restart');
    assert.match(ed.desk.shown.pop()[1], words);
  }
  const file = path.join(ed.folder, 'not-executable');
  fs.writeFileSync(file, '');
  ed.desk.configuration['todo.server.command'] = [file];
  await ed.run('todo.restart');
  assert.match(ed.desk.shown.pop()[1], /cannot be executed/);
  ed.desk.configuration['todo.server.command'] = works;
  await ed.run('todo.restart');
  assert.equal(ed.view().title, 'Shelf a');
});

test('27: a server that says nothing at all can be replaced at once', async (t) => {
  const ed = await editor(t, toy('mute'));
  const showing = ed.run('todo.show');
  await until(() => ed.desk.statusBar.text === '$(sync~spin) Todo');
  ed.desk.configuration['todo.server.command'] = toy('list');
  await ed.run('todo.restart');
  await showing;
  assert.equal(ed.view().title, 'Shelf a');
  assert.deepEqual(ed.desk.shown, []);
});

test('25: a usage error of the server is shown', async (t) => {
  const ed = await editor(t);
  ed.desk.configuration['todo.server.command'].push('--nonsense');
  await ed.run('todo.show');
  assert.match(ed.desk.shown.pop()[1], /The server ended \(exit code 64\): .*--nonsense/);
  assert.match(ed.desk.log, /--nonsense/);
});

test('26: no server is left behind when VS Code unloads the extension, or is killed', async (t) => {
  const ed = await loggedIn(t);
  const { pid } = ed.session.process;
  await ed.end();
  await until(() => isGone(pid), 'the end of the server');
  for (const signal of ['SIGTERM', 'SIGHUP', 'SIGKILL']) {
    const script = "const { loggedIn } = require('./support'); "
      + "loggedIn({ after() {} }).then((ed) => console.log(ed.folder, ed.session.process.pid))";
    const host = spawn(process.execPath, ['-e', script], { cwd: __dirname });
    const [folder, child] = `${await new Promise((resolve) => host.stdout.once('data', resolve))}`.trim().split(' ');
    host.kill(signal);
    await until(() => isGone(host.pid) && isGone(child), `the end after ${signal}`);
    fs.rmSync(folder, { recursive: true });
  }
});

/** An editor with the text of the toy, whose saves are held until `release` is called. */
async function held(t) {
  const ed = await editor(t);
  const received = path.join(ed.folder, 'received');
  const hold = path.join(ed.folder, 'hold');
  fs.writeFileSync(hold, '');
  process.env.HOLD = hold;
  t.after(() => delete process.env.HOLD);
  ed.desk.configuration['todo.server.command'] = toy('form', received);
  await ed.run('todo.show');
  const sent = () => fs.readFileSync(received, 'utf8').trim().split('\n').map((line) => JSON.parse(line));
  return Object.assign(ed, { doc: await ed.document(), sent, release: () => fs.rmSync(hold) });
}

test('never lose typed text: a save without an answer times out, and text typed meanwhile stays and is saved', async (t) => {
  const ed = await held(t);
  assert.deepEqual(ed.sent()[0].params.capabilities, { render: { frontOnly: true, window: 500, preview: true } });
  const { saveMS } = ed.session;
  ed.session.saveMS = 1000;
  ed.desk.type(ed.doc, 'b\n\nlonger');
  const saving = assert.rejects(ed.desk.save(ed.doc), /did not answer within 1 s/);
  ed.desk.type(ed.doc, 'c\n\nlonger');
  await saving;
  assert.equal(ed.doc.isDirty, true);
  assert.equal(ed.doc.getText(), 'c\n\nlonger');
  const { base, stay } = ed.sent().find(({ method }) => method === 'screen/act').params;
  assert.deepEqual([base, stay], ['stored 1', true], 'a save has the base of its text');
  await assert.rejects(ed.desk.save(ed.doc), /The last save has no answer yet/);
  await new Promise((resolve) => setTimeout(resolve, 400)); // longer than it waits after a key
  ed.session.saveMS = saveMS;
  ed.release();
  await until(() => ed.said('“Book” is saved now.'));
  assert.equal(ed.doc.getText(), 'c\n\nlonger');
  assert.equal(ed.doc.isDirty, true);
  const told = await until(() => ed.sent().find(({ params }) => params?.base === 'stored 2'), 'the edits are sent');
  assert.deepEqual([told.method, told.params.values], ['screen/change', { x: 'c' }]);
  await ed.desk.save(ed.doc);
  assert.equal(ed.doc.isDirty, false);
  const last = ed.sent().filter(({ method }) => method === 'screen/act').at(-1).params;
  assert.deepEqual([last.base, last.values.x], ['stored 2', 'c'], 'its own late save does not count as a change by others');
});

test('edits made during a save are sent after its response, with the base of the stored text', async (t) => {
  const ed = await held(t);
  ed.desk.type(ed.doc, 'b\n\nlong');
  const saving = ed.desk.save(ed.doc);
  const isSaved = until(() => ed.sent().some(({ method }) => method === 'screen/act'));
  ed.desk.type(ed.doc, 'c\n\nlong');
  await isSaved;
  await new Promise((resolve) => setTimeout(resolve, 400)); // longer than it waits after a key
  assert.equal(ed.sent().at(-1).method, 'screen/act', 'nothing is sent before the response');
  ed.release();
  await saving;
  await until(() => ed.sent().at(-1).method === 'screen/change');
  const { values, base } = ed.sent().at(-1).params;
  assert.deepEqual([values, base], [{ x: 'c' }, 'stored 2']);
});

test('a save that is refused because its question was not asked asks it, about the text as it is', async (t) => {
  const ed = await held(t);
  ed.release();
  ed.desk.type(ed.doc, 'doubtful\n\nlong');
  const asked = [];
  ed.answer((question) => void asked.push([question.text, question.detail]));
  await assert.rejects(ed.desk.save(ed.doc), /Nothing was saved/);
  assert.deepEqual(asked, [['Really?', 'Book']]);
  assert.deepEqual(ed.sent().slice(-2).map(({ method }) => method), ['screen/act', 'screen/change']);
  assert.equal(ed.doc.isDirty, true);
  ed.answer('KEEP');
  await ed.desk.save(ed.doc);
  assert.equal(ed.doc.isDirty, false);
});

test('16: only the fields that the user has changed are sent, until they are as they were', async (t) => {
  const ed = await held(t);
  const last = () => ed.sent().filter(({ method }) => method.startsWith('screen/')).at(-1);
  const isSent = (values) => until(() => JSON.stringify(last()?.params.values) === JSON.stringify(values));
  ed.desk.type(ed.doc, 'b\n\nlong');
  await isSent({ x: 'b' });
  ed.desk.type(ed.doc, 'a\n\nlonger');
  await isSent({ x: 'a', y: 'longer' });
  ed.release();
  ed.desk.type(ed.doc, 'a\n\nlong line');
  await ed.desk.save(ed.doc);
  assert.equal(last().method, 'screen/act');
  ed.desk.type(ed.doc, 'c\n\nlong line');
  await ed.desk.save(ed.doc);
  assert.deepEqual(last().params.values, { x: 'c' }, 'after a save nothing has been changed');
});

test('VS Code: an error is shown at its line, once', async (t) => {
  const ed = await held(t);
  const lines = () => (ed.desk.diagnostics.get(`${ed.doc.uri}`) ?? []).map(({ range }) => range.start.line);
  ed.desk.type(ed.doc, 'bad\n\nbad');
  await until(() => `${lines()}` === '0,2');
  ed.desk.type(ed.doc, 'good\n\nbad');
  await until(() => `${lines()}` === '2');
});

test('never lose typed text: a server that dies while it saves leaves the text, which can be saved later', async (t) => {
  const ed = await held(t);
  ed.desk.type(ed.doc, 'b\n\nlonger');
  const saving = assert.rejects(ed.desk.save(ed.doc), /The server ended/);
  ed.session.process.kill('SIGKILL');
  await saving;
  assert.equal(ed.doc.isDirty, true);
  ed.release();
  await ed.run('todo.restart');
  await ed.desk.save(ed.doc);
  assert.equal(ed.doc.isDirty, false);
});

test('text from outside is data: it becomes no link, no icon, and turns no text', async (t) => {
  const ed = await editor(t, toy('outside'));
  await ed.run('todo.show');
  ed.answer(({ items }) => items[0], 'refuse');
  await ed.run('todo.act');
  const asked = [];
  ed.answer((question) => void asked.push(question));
  await ed.run('todo.create');
  ed.answer(({ text, buttons }) => (asked.push({ text, buttons }), buttons[0]));
  await ed.run('todo.sync');
  const [row] = await ed.rows();
  const { view, provider, ...rest } = ed.desk.views['todo.screen'];
  const told = [row.label, row.description, row.tooltip, ed.view().title, ed.view().message, ed.desk.statusBar.text,
    ...ed.desk.shown.map(([, text]) => text), ...(await ed.offered()).map(({ label }) => label),
    ...asked.flatMap(({ title, prompt, text, buttons = [] }) => [title, prompt, text, ...buttons])].filter(Boolean);
  assert.ok(told.length > 12, `${told.length}`);
  for (const text of told) {
    assert.doesNotMatch(text, /\]\(|[\u202a-\u202e\u2066-\u2069]/, text);
    assert.doesNotMatch(text.replace('$(checklist)', ''), /\$\(/, text);
    if (text.includes('x]')) assert.match(text, /\[x\] \(command:y\) \$ \(sync\) \\u202eabc/);
  }
  assert.equal(row.iconPath.color.id, 'list.errorForeground');
});

test('no words meant for front-end authors', async (t) => {
  const ed = await editor(t, toy('outside'));
  await ed.run('todo.show');
  await ed.click((await ed.titles())[0]);
  assert.match(ed.desk.shown.pop()[1], /^The extension and its server do not fit together \(params\.item/);
});

test('looks: a row is opened at its source and shows its note, the status bar has the state of the list', async (t) => {
  const ed = await editor(t, toy('outside'));
  await ed.run('todo.show');
  const [row, other] = await ed.rows();
  assert.equal(row.contextValue, 'item link');
  for (const one of [row, other]) await ed.menu('view/item/context', 'todo.link', one);
  assert.deepEqual(ed.desk.opened, ['https://example.com/1'], 'a command link is not opened');
  assert.match(row.tooltip, /\n\nNote \[x\] \(command:y\) \$ \(sync\) \\u202eabc\nof two lines$/, 'its note, as data');
  assert.match(ed.desk.statusBar.text, /, 3 pending, 1 conflict, synced 2 min ago, next try in 5 min$/);
});

test('the sources of the settings are given to the server', async (t) => {
  const ed = await editor(t);
  ed.desk.configuration['todo.server.sources'] = ['local'];
  await ed.run('todo.show');
  assert.deepEqual(ed.session.process.spawnargs.slice(-2), ['--source', 'local']);
  await ed.onTitle('Welcome');
});

test('28: of 100,000 rows a page is requested, and more on demand', async (t) => {
  const ed = await editor(t, toy('list'));
  await ed.run('todo.show');
  await until(() => ed.session.front.body.items.length === 500);
  assert.equal((await ed.rows()).length, 501);
  await ed.click('99500 more…');
  assert.equal(ed.session.front.body.items.length, 1000);
  assert.equal((await ed.rows())[1000].label, '99000 more…');
  await ed.act('TURN');
  assert.equal(ed.view().title, 'Shelf aa');
  assert.equal(ed.session.front.body.items.length, 1000);
});

test('the check of the server is shown in the log, with the options of the setting', async (t) => {
  const ed = await editor(t);
  const file = path.join(ed.folder, 'server');
  const script = '#!/bin/sh\necho "asked: $*"; [ "$3" = memory ] || { echo "no store" >&2; exit 1; }\n';
  fs.writeFileSync(file, script, { mode: 0o755 });
  for (const store of ['memory', 'none']) {
    ed.desk.configuration['todo.server.command'] = [file, 'serve', '--store', store];
    await ed.run('todo.doctor');
    assert.ok(ed.desk.log.includes(`asked: serve --store ${store} doctor\n`));
  }
  assert.equal(ed.desk.shown.at(-1)[0], 'log');
  assert.match(ed.desk.log, /no store\n$/);
  ed.desk.configuration['todo.server.command'] = ['/no/such/server'];
  const check = ed.run('todo.doctor');
  assert.equal(ed.desk.inProgress, 'Todo: checking the server…', 'while it runs');
  await check;
  assert.equal(ed.desk.inProgress, undefined);
  assert.match(ed.desk.log, /ENOENT\n$/);
});

test('the view shows that a slow server is starting', async (t) => {
  const ed = await editor(t, toy('mute'));
  const showing = ed.run('todo.show');
  await until(() => ed.view().message === 'Starting the server…');
  assert.match(ed.desk.statusBar.text, /^\$\(sync~spin\)/);
  await ed.session.stop();
  await showing;
});

test('every body is drawn from its contents, also one of an unknown kind', async (t) => {
  const ed = await editor(t, toy('progress'));
  await ed.run('todo.show');
  assert.equal(ed.view().message, `Halfway 5/10 ${'█'.repeat(10)}${'░'.repeat(10)}`);
  ed.desk.configuration['todo.server.command'] = toy('chart');
  await ed.run('todo.restart');
  assert.equal(ed.view().title, 'Shelf a');
  assert.deepEqual((await ed.offered()).map(({ label }) => label), ['PICK', 'TURN', 'DROP']);
});
