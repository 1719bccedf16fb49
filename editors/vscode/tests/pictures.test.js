'use strict';

// Each rendering of each recorded conversation is shown to the extension, and what it draws is put into the words of
// the picture that the conversation has of it.

const test = require('node:test');
const { execFileSync } = require('node:child_process');
const { ROOT, SERVER, assert, editor, fs, path, until } = require('./support');
const { shownScreen } = require('../lib/screens');

const FIXTURES = path.join(ROOT, '../../Fixtures');

/** The conversations with whole renderings in place of their numbers; the server itself knows how to fill them in. */
function recorded(folder) {
  for (const name of ['transcripts', 'http']) {
    fs.cpSync(path.join(FIXTURES, name), path.join(folder, name), { recursive: true });
  }
  const names = fs.readdirSync(path.join(folder, 'transcripts'), { recursive: true });
  const files = names.filter((name) => name.endsWith('.txt')).map((name) => path.join(folder, 'transcripts', name));
  for (const file of files) {
    const text = fs.readFileSync(file, 'utf8');
    fs.writeFileSync(file, text.replace(/^renderings: pictures\n/m, ''));
  }
  execFileSync(SERVER[0], ['replay', ...files, '--update'], { stdio: 'pipe' });
  return names.filter((name) => name.endsWith('.txt'));
}

/** The blocks of lines of a transcript: a message with what continues it, or a picture. */
function blocks(text) {
  const found = [];
  for (const line of text.split('\n')) {
    const isPicture = line.startsWith('==');
    if (/^(-->|<--|~~>|<~~)/.test(line)) found.push([line]);
    else if (isPicture && !found.at(-1)?.[0].startsWith('==')) found.push([line]);
    else if (isPicture || /^( {2}|[}\]])/.test(line)) found.at(-1)?.push(line);
  }
  return found;
}

/** The params of each whole rendering, and the picture that is written after it, if there is one. */
function renderings(text) {
  const all = blocks(text);
  return all.flatMap((lines, index) => {
    const [, json] = /^<-- (\{[^]*"workflow\/render"[^]*)/.exec(lines.join('\n')) ?? [];
    const next = all[index + 1] ?? [''];
    const picture = next[0].startsWith('==') ? next.map((line) => line.slice(3)) : undefined;
    const { params } = json ? JSON.parse(json) : {};
    return params?.rendering ? [{ params, picture }] : []; // patches come only to who asks for them
  });
}

/** The pictures of the transcript as it is kept, to be sure that they are the ones that all front-ends share. */
const pictures = (text) => blocks(text).filter(([line]) => line.startsWith('==')).map((lines) => lines.join('\n'));

/** Returns the views, the editors and the status bar in the form of a picture. */
async function drawn(ed) {
  const { desk } = ed;
  const { front } = ed.session;
  if (front.body.layout === 'compare') await ed.run('todo.base'); // mine and base are shown on demand
  // A form that is edited as text leaves its list in sight; what is drawn of the form itself is in the editors.
  const open = desk.documents.filter((document) => desk.tabs.some((tab) => {
    return Object.values(tab.input).some((uri) => `${uri}` === `${document.uri}`);
  }));
  const [, shown] = /^\$\([\w~-]+\) (.*)/.exec(desk.statusBar.text);
  assert.ok(shown === front.title || shown.startsWith(`${front.title}, `), shown); // how the list stands comes after it
  const lines = [front.title];
  // Rows of a form are its buttons.
  for (const row of open.length || front.body.kind === 'form' ? [] : await ed.rows()) {
    if (/^\d+ more…$/.test(row.label)) continue; // a picture has the rows that were sent
    const mark = row.checkboxState === undefined ? '' : ['[ ] ', '[x] '][row.checkboxState.state];
    const description = row.description?.replace(/( · )?≡$/, '');
    lines.push((row.collapsibleState ? '# ' : mark) + [row.label, description].filter(Boolean).join(' · '));
  }
  const sides = (front.body.fields ?? []).map(({ side }) => side);
  const number = ({ uri }) => sides.indexOf(uri.query.split(',')[2]);
  for (const document of open.sort((one, other) => number(one) - number(other))) {
    // If there are several texts, each has its label.
    const name = path.basename(document.uri.path); // also with an earlier subject
    const [word] = (front.body.fields?.[number(document)]?.label ?? '').split(' ');
    if (open.length > 1) lines.push(`${name.slice(name.lastIndexOf(word))}:`);
    const errors = desk.diagnostics.get(`${document.uri}`) ?? [];
    document.getText().split(/\r?\n/).forEach((line, row) => {
      lines.push(line);
      lines.push(...errors.filter(({ range }) => range.start.line === row).map(({ message }) => `! ${message}`));
    });
  }
  const { message = '' } = ed.view();
  const { level, text = '' } = front.message ?? {};
  assert.ok(message.startsWith(text), message);
  const rest = message.slice(text.length).replace(/ [█░]+$/, '').trim();
  if (rest && !open.length) lines.push(rest);
  if (text) lines.push(`${level}: ${text}`);
  const actions = (await ed.offered()).filter(({ screen }) => screen === front);
  lines.push(actions.map(({ action, description }) => (description === 'not now' ? `(${action.name})` : `[${action.name}]`))
    .join(' '));
  return lines;
}

/**
 * The picture of a form as this front-end has it: in its editors, as a commit message, or the texts one by one; or
 * asked for one by one, so that nothing of it is drawn.
 */
function asText(picture, { body }) {
  const fields = body.fields ?? [];
  const long = fields.filter(({ multiline }) => multiline);
  const isAsked = (line) => fields.some(({ label, error }) => `${line} `.startsWith(`${label}: `) || line === `! ${error}`);
  if (!body.layout) return picture.filter((line) => !isAsked(line));
  return picture.flatMap((line, index) => {
    const { label } = fields.find((field) => `${line} `.startsWith(`${field.label}: `)) ?? {};
    const isLong = long.some((field) => field.label === label);
    if (isLong && long.length > 1) return [line];
    if (isLong) return index > 1 ? [''] : [];
    if (label) return [line.slice(label.length + 1).trim()];
    return [line.replace(/^\| ?/, '')];
  });
}

test('every rendering of the recorded conversations is drawn as its picture has it', async (t) => {
  const folder = fs.mkdtempSync(path.join(require('node:os').tmpdir(), 'todo-pictures-'));
  t.after(() => fs.rmSync(folder, { recursive: true }));
  let count = 0;
  for (const name of recorded(folder)) {
    const text = fs.readFileSync(path.join(folder, 'transcripts', name), 'utf8');
    const all = renderings(text);
    if (!all.length) continue;
    assert.deepEqual(pictures(text), pictures(fs.readFileSync(path.join(FIXTURES, 'transcripts', name), 'utf8')), name);
    const file = path.join(folder, 'renderings.json');
    fs.writeFileSync(file, JSON.stringify(all.map(({ params }) => params)));
    const ed = await editor(t, [process.execPath, path.join(ROOT, 'tests/toy.js'), 'recorded', file]);
    ed.desk.configuration['todo.list.foldDone'] = false; // a picture has the order of the server
    await ed.run('todo.show');
    for (const [index, { picture }] of all.entries()) {
      if (index) await ed.session.request('next', {});
      if (!picture) continue;
      let [is, wanted] = [];
      const isDrawn = async () => {
        [is, wanted] = [await drawn(ed), asText(picture, ed.session.front)];
        return `${is}` === `${wanted}`;
      };
      await until(isDrawn, 'the picture').catch(() => assert.deepEqual(is, wanted, `${name}, rendering ${index + 1}`));
      count += 1;
    }
    await ed.end();
  }
  assert.ok(count > 150, `${count} pictures`);
});
