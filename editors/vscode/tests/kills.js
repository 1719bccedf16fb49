'use strict';

// Kills VS Code (the stub) and the server together, 2 s after the last key, and looks for the text after a restart.
// Usage: kills.js [TIMES], with TODO_SERVER and NODE_PATH as tests/run has them.

const { spawn } = require('node:child_process');
const { setTimeout: wait } = require('node:timers/promises');
const { assert, fs, home, loggedIn, until } = require('./support');

const AGE_MS = 2000;
const AT_ONCE = 4;

const parts = {
  /** Types a text, and says which process is the server. */
  async type(folder, text) {
    const ed = await loggedIn({ after() {} }, { add: [{ title: 'Buy milk' }] }, undefined, folder);
    await ed.click('Buy milk');
    ed.desk.type(await ed.document(), text);
    console.log(ed.session.process.pid);
  },
  /** Reports the text of the form for the row with the badge. */
  async show(folder) {
    const ed = await loggedIn({ after() {} }, {}, undefined, folder);
    await until(async () => (await ed.rows()).some(({ description }) => description === 'draft'), 'the badge');
    await ed.click('Buy milk');
    console.log(JSON.stringify((await ed.document()).getText()));
    await ed.end();
  },
};

/** A VS Code in a process of its own, and the first line that it says. */
async function start(...args) {
  const host = spawn(process.execPath, [__filename, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await Promise.race([host.stdout, host].map((one, index) => {
    return new Promise((resolve) => one.once(index ? 'close' : 'data', (...said) => resolve(said)));
  }));
  return [host, `${line}`.trim()];
}

/** Whether a text survives. */
async function survives(number) {
  const folder = home();
  const text = `Buy milk\n\n${number} litres ☕`;
  const [host, server] = await start('type', folder, text);
  assert.ok(Number(server) > 0, `no server: ${server}`);
  await wait(AGE_MS);
  process.kill(Number(server), 'SIGKILL'); // first, so that it does not see the end of the other
  host.kill('SIGKILL');
  const [, shown] = await start('show', folder);
  fs.rmSync(folder, { recursive: true, force: true });
  return shown === JSON.stringify(text);
}

async function count(times) {
  let number = 0;
  let survived = 0;
  const go = async () => {
    while (number < times) if (await survives((number += 1))) survived += 1;
  };
  await Promise.all(Array.from({ length: AT_ONCE }, go));
  return survived;
}

async function main([part = 1, ...args]) {
  if (parts[part]) return parts[part](...args);
  const survived = await count(Number(part));
  console.log(`${survived} of ${part} texts were shown after both had been killed`);
  assert.equal(survived, Number(part));
}

if (require.main === module) main(process.argv.slice(2));
module.exports = { count };
