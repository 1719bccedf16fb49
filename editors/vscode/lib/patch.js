'use strict';

/**
 * JSON Patch (RFC 6902). Gives the patched document and leaves the given one as it was: what is off the
 * paths is shared. Throws when an operation does not fit, and then nothing was applied.
 */
function applyPatch(document, operations) {
  return operations.reduce(applyOne, document);
}

function applyOne(document, { op, path, from, value }) {
  const at = tokens(path);
  switch (op) {
    case 'add':
      return add(document, at, value);
    case 'remove':
      return edit(document, at, remove);
    case 'replace':
      return at.length ? edit(document, at, (holder, key) => (holder[existing(holder, key)] = value)) : value;
    case 'copy':
      return add(document, at, get(document, tokens(from)));
    case 'move':
      return move(document, tokens(from), at);
    case 'test':
      if (equal(get(document, at), value)) return document;
      throw new Error(`the test of ${path} failed`);
    default:
      throw new Error(`unknown operation ${op}`);
  }
}

function move(document, from, at) {
  const value = get(document, from);
  const inside = from.every((token, index) => token === at[index]);
  if (inside && at.length === from.length) return document;
  if (inside) throw new Error('a value cannot move into itself');
  return add(edit(document, from, remove), at, value);
}

function tokens(pointer) {
  if (typeof pointer !== 'string' || !/^(\/([^~]|~[01])*)?$/su.test(pointer)) throw new Error(`no pointer: ${pointer}`);
  return pointer.split('/').slice(1).map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The key as it is, if the object or array has it. */
function existing(holder, key) {
  const index = Array.isArray(holder) ? /^(0|[1-9]\d*)$/.test(key) && Number(key) < holder.length : true;
  if (!index || holder === null || typeof holder !== 'object' || !Object.hasOwn(holder, key)) {
    throw new Error(`there is no ${key}`);
  }
  return key;
}

function get(document, path) {
  return path.reduce((holder, key) => holder[existing(holder, key)], document);
}

function edit(document, [key, ...rest], change) {
  if (key === undefined) throw new Error('the whole document cannot be removed');
  if (document === null || typeof document !== 'object') throw new Error(`there is no ${key}`);
  const copy = Array.isArray(document) ? document.slice() : { ...document };
  if (rest.length) copy[existing(copy, key)] = edit(copy[key], rest, change);
  else change(copy, key);
  return copy;
}

function remove(holder, key) {
  if (Array.isArray(holder)) holder.splice(existing(holder, key), 1);
  else delete holder[existing(holder, key)];
}

function add(document, path, value) {
  if (!path.length) return value;
  return edit(document, path, (holder, key) => {
    if (!Array.isArray(holder)) holder[key] = value;
    else if (key === '-' || key === String(holder.length)) holder.push(value);
    else holder.splice(existing(holder, key), 0, value);
  });
}

function equal(one, other) {
  if (one === null || other === null || typeof one !== 'object' || typeof other !== 'object') return one === other;
  const keys = Object.keys(one);
  return Array.isArray(one) === Array.isArray(other) && keys.length === Object.keys(other).length
    && keys.every((key) => Object.hasOwn(other, key) && equal(one[key], other[key]));
}

module.exports = { applyPatch };
