'use strict';

// A form as text, in the shape of a commit message: a line for each short field, a blank line, the long one.

/** The layout of a form that is edited as text: `text` or `compare`; undefined for other forms. */
const layoutOf = (screen) => screen?.body?.layout;

/** The fields of a screen that are edited as text: a list for each document. */
function documentsOf(screen) {
  const { fields = [] } = screen?.body ?? {};
  if (layoutOf(screen) === 'compare') return fields.map((field) => [field]);
  if (layoutOf(screen) !== 'text') return [];
  return [[...fields.filter((field) => !field.multiline), ...fields.filter((field) => field.multiline)]];
}

/** The screen to draw as rows: a form that is edited as text leaves the list below it in sight. */
function shownScreen({ stack, front }) {
  const below = stack.at(-2);
  return layoutOf(front) && below?.body?.kind === 'list' ? below : front;
}

/** The action of a screen that Enter does. */
const primaryOf = ({ actions }, scope) => actions.find((action) => action.primary && action.scope === scope);

/** Text from outside is data: it must not make links or icons, nor change the direction of the text around it. */
function plain(text = '', hasLines = false) {
  const marked = text.replace(/[\u202a-\u202e\u2066-\u2069]/g, (mark) => `\\u${mark.charCodeAt(0).toString(16)}`);
  return marked.replace(hasLines ? /[^\P{Cc}\n]+/gu : /\p{Cc}+/gu, ' ').replace(/\](?=\()|\$(?=\()/g, '$& ');
}

const oneLine = (text) => text.replace(/[\r\n]+/g, ' ');
const withLF = (text) => text.replace(/\r\n?/g, '\n');
const sameLines = (one, other) => withLF(one) === withLF(other);

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

module.exports = { compose, documentsOf, layoutOf, plain, primaryOf, sameLines, shownScreen, split, withLF };
