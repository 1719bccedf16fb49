'use strict';

// The languages of documents, found as VS Code finds them.

const { contributes } = require('../../../package.json');
const { desk } = require('./desk');

const LANGUAGES = [{ id: 'dockerfile', filenames: ['Dockerfile'] },
  { id: 'jsonc', filenamePatterns: ['tsconfig-*.json'] }, ...contributes.languages];

/** Of the patterns that match a path, or its last part if they have no slash, the longest one counts. */
function longest(pairs, path) {
  const matches = ([pattern]) => {
    const source = pattern.replaceAll('.', '\\.').replaceAll('*', '[^/]*');
    return new RegExp(`^${source}$`, 'i').test(pattern.includes('/') ? path : path.split('/').pop());
  };
  return pairs.filter(matches).sort(([one], [other]) => other.length - one.length)[0]?.[1];
}

/** The associations of the user come before names, and these before the patterns of languages. */
function languageOf({ path }) {
  const name = path.split('/').pop().toLowerCase();
  const named = LANGUAGES.find(({ filenames = [] }) => filenames.some((one) => one.toLowerCase() === name));
  const patterns = LANGUAGES.flatMap(({ id, filenamePatterns = [] }) => filenamePatterns.map((pattern) => [pattern, id]));
  const associations = Object.entries(desk.configuration['files.associations'] ?? {});
  return longest(associations, path) ?? named?.id ?? longest(patterns, path) ?? 'plaintext';
}

module.exports = { LANGUAGES, languageOf };
