'use strict';

// A form as text, in the shape of a commit message: a line for each short field, a blank line, the long one.

/** The fields of a screen that are edited as text: a list for each document. */
function documentsOf(screen) {
  const open = (screen?.body.fields ?? []).filter((field) => !field.secret);
  const long = open.filter((field) => field.multiline);
  if (long.length > 1) return long.map((field) => [field]);
  return long.length ? [[...open.filter((field) => !field.multiline), ...long]] : [];
}

/** The other fields of a screen, which are asked for one by one. */
function rowsOf(screen) {
  const inDocuments = documentsOf(screen).flat();
  return (screen?.body.fields ?? []).filter((field) => !inDocuments.includes(field));
}

/** The screen to draw as rows: a form that is edited as text leaves the list below it in sight. */
function shownScreen({ stack, front }) {
  const below = stack.at(-2);
  return documentsOf(front).length && below?.body.kind === 'list' ? below : front;
}

const oneLine = (text) => text.replace(/[\r\n]+/g, ' ');
const sameLines = (one, other) => one.replace(/\r\n?/g, '\n') === other.replace(/\r\n?/g, '\n');

function compose(fields) {
  const [long = '', ...short] = fields.map((field) => field.value ?? '').reverse();
  // VS Code gives all lines of a document the same end: ours must not outvote those of the long field.
  const end = /\r\n/.test(long) && !/[^\r]\n/.test(long) ? '\r\n' : '\n';
  return short.reverse().map((line) => oneLine(line) + end).join('') + (short.length ? end : '') + long;
}

/** The values that the text gives to the fields. What was not edited keeps its bytes, whatever VS Code made of them. */
function split(text, fields) {
  const short = fields.slice(0, -1);
  const long = fields.at(-1);
  const values = {};
  for (const { name, value = '' } of short) {
    const [, line, rest] = /^([^\r\n]*)(?:\r\n?|\n)?([^]*)$/.exec(text);
    values[name] = line === oneLine(value) ? value : line;
    text = rest;
  }
  if (short.length) text = text.replace(/^(\r\n?|\n)/, '');
  values[long.name] = sameLines(text, long.value ?? '') ? long.value ?? '' : text;
  return values;
}

module.exports = { compose, documentsOf, rowsOf, shownScreen, split };
