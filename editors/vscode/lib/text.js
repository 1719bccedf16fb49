'use strict';

// A form as text, in the shape of a commit message: a line for each short field, a blank line, the long one.

const VERSIONS_MAX = 100;

/** Text from outside is data: it must not make links or icons, nor change the direction of the text around it. */
function plain(text = '', hasLines = false) {
  const marked = text.replace(/[\u202a-\u202e\u2066-\u2069]/g, (mark) => `\\u${mark.charCodeAt(0).toString(16)}`);
  return marked.replace(hasLines ? /[^\P{Cc}\n]+/gu : /\p{Cc}+/gu, ' ').replace(/\](?=\()|\$(?=\()/g, '$& ');
}

const oneLine = (text) => text.replace(/[\r\n]+/g, ' ');
const withLF = (text) => text.replace(/\r\n?/g, '\n');
const sameLines = (one, other) => withLF(one) === withLF(other);

const namesOf = ({ fields }) => `${fields.map(({ name }) => name)}`;

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

/** The values to send: those of fields with edits, and of fields whose edits were sent since the last save. */
function editsOf(doc, text) {
  // Undo may have removed the line of a field with a sent edit: the server then gets its stored value.
  const stored = Object.fromEntries(doc.stored.fields.map(({ name, value = '' }) => [name, value]));
  const values = { ...stored, ...split(text, doc.fields) };
  for (const { name, value = '' } of doc.fields) if (values[name] !== value) doc.told.add(name);
  return Object.fromEntries(Object.entries(values).filter(([name]) => doc.told.has(name)));
}

/** Remembers the fields and the base of a text, to which undo returns; only of the newest texts. */
function remember({ versions }, text, { fields, base }) {
  versions.set(withLF(text), { fields, base });
  if (versions.size > VERSIONS_MAX) versions.delete(versions.keys().next().value);
}

/**
 * Bases a text, and those to which undo returns, on the version that a save has stored. Each keeps its lines, the text
 * until VS Code has read the new ones, and all that differs is an edit of that version.
 */
function rebase(doc, stored) {
  const find = ({ name }) => stored.fields.find((field) => field.name === name) ?? { name };
  const renewed = ({ fields }) => ({ fields: fields.map(find), base: stored.base });
  for (const [text, version] of doc.versions) doc.versions.set(text, renewed(version));
  Object.assign(doc, renewed(doc), { stored, told: new Set() });
}

module.exports = { compose, editsOf, namesOf, plain, rebase, remember, sameLines, split, withLF };
