'use strict';

// Rows, and the actions for them.

const test = require('node:test');
const { assert, editor, fs, path, toy } = require('./support');

test('sections are headings that fold, labels come after the detail, and a date has the colour of its tone', async (t) => {
  const ed = await editor(t, toy('sections'));
  await ed.run('todo.show');
  const rows = await ed.rows();
  const drawn = rows.map(({ label, description = '', heading }) => [heading?.label, label, description]);
  assert.deepEqual(drawn, [
    [undefined, 'Overdue', ''], ['Overdue', 'One', '1 Dec · #bug #two words'], ['Overdue', 'Two', ''],
    [undefined, 'Later', ''], ['Later', 'Three', ''], [undefined, 'Overdue', ''], ['Overdue', 'Four', 'today'],
    [undefined, 'Five', ''],
  ]);
  assert.deepEqual(rows.map(({ collapsibleState }) => collapsibleState), [2, 0, 0, 2, 0, 2, 0, 0]);
  assert.deepEqual(rows.map(({ iconPath }) => iconPath?.color.id), [undefined, 'list.errorForeground', undefined,
    undefined, undefined, undefined, 'list.warningForeground', undefined]);
  assert.equal(rows[1].accessibilityInformation.label, 'One, not done, 1 Dec, #bug #two words');
  await ed.select('Later');
  await ed.act('PICK');
  assert.ok(ed.said('Select a row for “PICK” first.'), 'a heading has no actions');
});

test('an action is for all selected rows if the cursor is on one of them, and asks once, with their number', async (t) => {
  const ed = await editor(t);
  const received = path.join(ed.folder, 'received');
  ed.desk.configuration['todo.server.command'] = toy('sections', received);
  await ed.run('todo.show');
  const acts = () => {
    const messages = fs.readFileSync(received, 'utf8').trim().split('\n').map((line) => JSON.parse(line));
    return messages.filter(({ method }) => method === 'screen/act').map(({ params }) => params.items ?? params.item);
  };
  const select = async () => (ed.view().selection = (await ed.rows()).filter(({ label }) => ['One', 'Three'].includes(label)));
  const asked = [];
  const yes = ({ text, detail, buttons }) => (asked.push([text, detail]), buttons[0]);
  await select();
  ed.answer(yes, yes, yes);
  await ed.press('delete', 'Three');
  assert.deepEqual(ed.view().selection.map(({ label }) => label), ['One', 'Three'], 'they stay selected');
  await ed.menu('view/item/context', 'todo.remove', ed.view().selection[0]);
  await ed.press('delete', 'Two');
  assert.deepEqual(asked, [['Drop 2 rows?', 'One, Three'], ['Drop 2 rows?', 'One, Three'], ['Drop this?', 'Two']]);
  assert.deepEqual(acts(), [['row1', 'row3'], ['row1', 'row3'], 'row2']);
  await select();
  await ed.act('PICK');
  assert.ok(ed.said('“PICK” is for one row: select only one.'));
});

test('the menu above the rows has the actions of all selected rows, or of the row with the cursor', async (t) => {
  const ed = await editor(t, toy('sections'));
  await ed.run('todo.show');
  const rows = (await ed.rows()).filter(({ label }) => ['One', 'Three'].includes(label));
  const named = [];
  ed.answer(...Array(3).fill(({ items }) => void named.push(items.find(({ label }) => label === 'DROP').description)));
  for (const [cursor, selection] of [[rows[1], rows], [rows[1], [rows[0]]], [undefined, [rows[0]]]]) {
    ed.desk.cursor = cursor;
    ed.view().selection = selection;
    await ed.menu('view/title', 'todo.act');
  }
  assert.deepEqual(named, ['2 rows', 'Three', 'One']);
});

test('a row that can only be read is opened, and takes no other action, alone or among others', async (t) => {
  const ed = await editor(t, toy('sections'));
  await ed.run('todo.show');
  for (const labels of [['Five'], ['One', 'Five']]) {
    ed.view().selection = (await ed.rows()).filter(({ label }) => labels.includes(label));
    const words = (await ed.offered()).map(({ label, description }) => [label, description]);
    assert.deepEqual(words.find(([label]) => label === 'DROP'), ['DROP', 'not now']);
    ed.desk.shown.length = 0;
    await ed.menu('view/item/context', 'todo.remove', ed.view().selection.at(-1));
    assert.deepEqual(ed.desk.shown, [['error', '“Five” can only be read.']]);
  }
  await ed.click('Five');
  assert.equal((await ed.document()).getText(), 'a\n\nlong');
});
