'use strict';

/** The operations of JSON Patch (RFC 6902) that the server uses. Throws when one does not fit. */
function applyPatch(document, operations) {
  const root = { '': structuredClone(document) };
  for (const { op, path, value } of operations) {
    if (!['add', 'remove', 'replace'].includes(op)) throw new Error(`there is no operation ${op}`);
    const keys = path.split('/').map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
    const key = keys.pop();
    const holder = keys.reduce(member, root);
    const isNew = op === 'add' && (!Array.isArray(holder) || key === '-' || key === `${holder.length}`);
    if (!isNew) member(holder, key);
    const values = op === 'remove' ? [] : [value];
    if (Array.isArray(holder)) holder.splice(key === '-' ? holder.length : key, op === 'add' ? 0 : 1, ...values);
    else if (op === 'remove') delete holder[key];
    else holder[key] = value;
  }
  return root[''];
}

function member(holder, key) {
  if (!Object.hasOwn(Object(holder), key)) throw new Error(`there is no ${key}`);
  return holder[key];
}

module.exports = { applyPatch };
