'use strict';

const test = require('node:test');
const { execFileSync } = require('node:child_process');
const { ROOT, assert, editor, fs, path } = require('./support');
const manifest = require('../package.json');
const { ROLES } = require('../lib/views');

const { contributes } = manifest;
const names = contributes.commands.map(({ command }) => command);

test('1: every file can be loaded', () => {
  const files = ['.', 'lib', 'tests', 'tests/stub/vscode'].flatMap((folder) => {
    return fs.readdirSync(path.join(ROOT, folder)).map((name) => path.join(ROOT, folder, name));
  });
  const scripts = files.filter((file) => file.endsWith('.js'));
  assert.ok(scripts.length > 10);
  for (const file of scripts) execFileSync(process.execPath, ['--check', file], { stdio: 'pipe' });
});

test('3: the README names every command, key and file, and names nothing else', () => {
  const readme = fs.readFileSync(path.join(ROOT, 'README.md'), 'utf8');
  const never = contributes.menus.commandPalette.filter(({ when }) => when === 'false');
  const hidden = never.map(({ command }) => command);
  const listed = contributes.commands.filter(({ command }) => !hidden.includes(command));
  const shown = listed.map(({ title }) => `\`Todo: ${title}\``);
  assert.deepEqual([...new Set(readme.match(/`Todo: [^`]+`/g))].sort(), shown.sort());
  for (const { key } of contributes.keybindings) assert.ok(readme.toLowerCase().includes(`\`${key}\``), key);
  const files = [...readme.matchAll(/^\| `(lib\/\w+\.js)`/gm)].map(([, file]) => file);
  assert.deepEqual(files.sort(), fs.readdirSync(path.join(ROOT, 'lib')).map((file) => `lib/${file}`).sort());
  for (const setting of Object.keys(contributes.configuration.properties)) assert.ok(readme.includes(`"${setting}"`));
});

test('2: every command that is declared is registered, and the other way round', async (t) => {
  const { desk } = await editor(t);
  assert.deepEqual([...desk.commands.keys()].sort(), [...names].sort());
});

test('2: every view, setting, context and command that is used is declared', async (t) => {
  const { desk } = await editor(t);
  const views = Object.values(contributes.views).flat().map(({ id }) => id);
  assert.deepEqual(Object.keys(desk.views).sort(), views.sort());
  const sources = ['extension.js', ...fs.readdirSync(path.join(ROOT, 'lib')).map((file) => `lib/${file}`)];
  const code = sources.map((file) => fs.readFileSync(path.join(ROOT, file), 'utf8')).join('\n');
  const text = JSON.stringify(contributes);
  for (const [context] of text.matchAll(/todo\.state/g)) assert.ok(code.includes(`'${context}'`), context);
  for (const [, role] of text.matchAll(/todo\.can\.(\w+)/g)) assert.ok(ROLES.includes(role), role);
  for (const role of ROLES) assert.ok(names.includes(`todo.${role}`), role);
  for (const [, command] of text.matchAll(/command:(todo\.\w+)/g)) assert.ok(names.includes(command), command);
  for (const { command } of [...Object.values(contributes.menus).flat(), ...contributes.keybindings]) {
    assert.ok(names.includes(command), command);
  }
  const settings = Object.keys(contributes.configuration.properties);
  assert.deepEqual(settings, ['todo.server.command', 'todo.server.sources', 'todo.list.foldDone']);
  assert.deepEqual(manifest.capabilities.untrustedWorkspaces.restrictedConfigurations, settings.slice(0, 2));
  for (const setting of settings) assert.ok(code.includes(`get('${setting.slice('todo.'.length)}')`), setting);
  const [pattern] = contributes.languages[0].filenamePatterns;
  assert.ok(code.includes(`'${pattern.split('/*')[0]}'`), 'the folder of the documents has its language');
});

test('a key is for the rows of the view, not for the text that is typed into its find box', () => {
  const isForRows = ({ when }) => when.startsWith('focusedView == todo.screen && !inputFocus');
  assert.deepEqual(contributes.keybindings.filter((one) => !isForRows(one)), []);
});

test('2: the extension knows nothing of todos', () => {
  const words = ['todoList', 'todoEdit', 'welcome', 'openRegister', 'password', 'note', 'title', 'add', 'logOut'];
  for (const file of ['extension.js', ...fs.readdirSync(path.join(ROOT, 'lib')).map((one) => `lib/${one}`)]) {
    const code = fs.readFileSync(path.join(ROOT, file), 'utf8').replace(/\/\/.*|\/\*[^]*?\*\//g, '');
    for (const word of words) assert.doesNotMatch(code, new RegExp(`['"\`.]${word}['"\`]`), `${file}: ${word}`);
  }
});

test('VS Code: the members of its interface that are used are those that were checked by hand, and the stub has them', () => {
  const listed = fs.readFileSync(path.join(__dirname, 'vscode-members.txt'), 'utf8').trim().split('\n').slice(1);
  const files = ['extension.js', ...fs.readdirSync(path.join(ROOT, 'lib')).map((file) => `lib/${file}`)];
  const code = files.map((file) => fs.readFileSync(path.join(ROOT, file), 'utf8')).join('\n');
  const used = new Set(code.match(/(?<!')\bvscode(\.[a-zA-Z]+)+/g));
  assert.deepEqual([...used].sort(), listed);
  const stub = require('vscode');
  for (const name of listed) {
    const member = name.split('.').slice(1).reduce((holder, key) => holder[key], stub);
    assert.notEqual(member, undefined, name);
  }
});

test('a text is saved by its user alone: saving half of it could settle a conflict', () => {
  assert.equal(contributes.configurationDefaults['[todo-form]']['files.autoSave'], 'off');
  assert.equal(manifest.engines.vscode, '^1.86.0', 'the first one that has this for a language');
});

test('4: no server runs before the view is opened', async (t) => {
  const ed = await editor(t);
  assert.equal(ed.session, undefined);
});

test('5: the .vsix holds the extension, all of it and nothing else', async (t) => {
  const ed = await editor(t);
  const file = path.join(ed.folder, 'todo.vsix');
  execFileSync(path.join(ROOT, 'build-vsix'), [file]);
  const script = 'import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); z.testzip(); print("\\n".join(z.namelist()))';
  const members = execFileSync('python3', ['-c', script, file], { encoding: 'utf8' }).trim().split('\n');
  const lib = fs.readdirSync(path.join(ROOT, 'lib')).map((one) => `extension/lib/${one}`).sort();
  const media = ['add', 'conflict', 'server'].map((name) => `extension/media/walkthrough/${name}.md`);
  const expected = ['extension.vsixmanifest', '[Content_Types].xml', 'extension/CHANGELOG.md', 'extension/LICENSE.txt',
    'extension/README.md', 'extension/extension.js', 'extension/package.json', ...lib, 'extension/media/icon.png',
    'extension/media/todo.svg', ...media];
  assert.deepEqual(members, expected);
  const parse = 'import sys, zipfile, xml.dom.minidom as d; z = zipfile.ZipFile(sys.argv[1]); '
    + '[d.parseString(z.read(n)) for n in z.namelist()[:2]]';
  execFileSync('python3', ['-c', parse, file]);
});

test('a marketplace shows an icon, a licence, changes and first steps, and the todos are those of the user', async () => {
  const { icon, license, extensionKind } = manifest;
  const png = fs.readFileSync(path.join(ROOT, icon));
  assert.deepEqual([png.subarray(1, 4).toString(), png.readUInt32BE(16), png.readUInt32BE(20)], ['PNG', 128, 128]);
  assert.equal(license, 'Apache-2.0');
  assert.deepEqual(extensionKind, ['ui', 'workspace']);
  const [{ steps }] = contributes.walkthroughs;
  for (const { media, description } of steps) {
    assert.ok(fs.existsSync(path.join(ROOT, media.markdown)), media.markdown);
    for (const [, command] of description.matchAll(/command:(todo\.\w+)/g)) assert.ok(names.includes(command), command);
  }
});

test('a command is named by a verb', () => {
  const verbs = ['Show', 'Restart', 'Restore', 'Check', 'Compare', 'Open', 'Toggle', 'Add', 'Remove', 'Go', 'Filter', 'Undo', 'Redo',
    'Refresh', 'Try', 'Sync', 'Log', 'Register', 'Keep', 'Take', 'Save'];
  for (const { title } of contributes.commands) assert.ok(verbs.includes(title.split(' ')[0]), title);
});
