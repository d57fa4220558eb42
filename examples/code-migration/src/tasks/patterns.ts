import type { Piece } from './piece.ts';

/** Constructs of CommonJS that ES modules do not have. */
export const patterns: readonly Piece[] = [
  {
    name: 'dirname',
    files: {
      'data/units.txt': { before: 'metre m\nlitre l\ngram g\n' },
      'lib/units.js': {
        before: `const fs = require('fs');
const path = require('path');

const lines = fs.readFileSync(path.join(__dirname, '..', 'data', 'units.txt'), 'utf8').trim().split('\\n');
const signs = new Map(lines.map((line) => line.split(' ')));

exports.signOf = function signOf(unit) {
  return signs.get(unit) || unit;
};
`,
        after: `import fs from 'node:fs';
import path from 'node:path';

const lines = fs.readFileSync(path.join(import.meta.dirname, '..', 'data', 'units.txt'), 'utf8').trim().split('\\n');
const signs = new Map(lines.map((line) => line.split(' ')));

export function signOf(unit) {
  return signs.get(unit) || unit;
}
`,
      },
    },
    index: {
      before: `exports.signOf = require('./lib/units').signOf;`,
      after: `export { signOf } from './lib/units.js';`,
    },
    test: `assert.equal(pkg.signOf('metre'), 'm');`,
    probes: [
      { call: 'signOf', args: ['litre'], gives: 'l' },
      { call: 'signOf', args: ['mile'], gives: 'mile' },
      { call: 'signOf', args: ['constructor'], gives: 'constructor' },
    ],
  },
  {
    name: 'json',
    files: {
      'data/rates.json': { before: '{ "standard": 0.2, "reduced": 0.05 }\n' },
      'lib/tax.js': {
        before: `const rates = require('../data/rates');

function tax(net, kind) {
  if (!(kind in rates)) throw new RangeError('No rate is called ' + kind);
  return Math.round(net * rates[kind]);
}

module.exports = { tax, kinds: Object.keys(rates) };
`,
        after: `import rates from '../data/rates.json' with { type: 'json' };

export function tax(net, kind) {
  if (!(kind in rates)) throw new RangeError('No rate is called ' + kind);
  return Math.round(net * rates[kind]);
}

export const kinds = Object.keys(rates);
`,
      },
    },
    index: {
      before: `Object.assign(exports, require('./lib/tax'));`,
      after: `export { kinds, tax } from './lib/tax.js';`,
    },
    test: `assert.equal(pkg.tax(1000, 'standard'), 200);`,
    probes: [
      { call: 'tax', args: [1010, 'reduced'], gives: 51 },
      { call: 'kinds', args: [], gives: ['standard', 'reduced'] },
      { call: 'tax', args: [1, 'none'], throws: 'No rate is called none' },
    ],
  },
  {
    name: 'single-function',
    files: {
      'lib/slug.js': {
        before: `module.exports = function slug(text) {
  return text.toLowerCase().replace(/[^a-z0-9]+/g, '-').slice(0, module.exports.longest);
};
module.exports.longest = 12;
`,
        after: `export default function slug(text) {
  return text.toLowerCase().replace(/[^a-z0-9]+/g, '-').slice(0, slug.longest);
}
slug.longest = 12;
`,
      },
    },
    index: {
      before: `exports.slug = require('./lib/slug');\nexports.longestSlug = exports.slug.longest;`,
      after: `import slug from './lib/slug.js';\n\nexport { slug };\nexport const longestSlug = slug.longest;`,
    },
    test: `assert.equal(pkg.slug('Hello, you'), 'hello-you');`,
    probes: [
      { call: 'slug', args: ['A very long title'], gives: 'a-very-long-' },
      { call: 'longestSlug', args: [], gives: 12 },
    ],
  },
  {
    name: 'dynamic-require',
    files: {
      'formats/plain.js': {
        before: `module.exports = (rows) => rows.map((row) => row.join(' ')).join('\\n');\n`,
        after: `export default (rows) => rows.map((row) => row.join(' ')).join('\\n');\n`,
      },
      'formats/csv.js': {
        before: `module.exports = (rows) => rows.map((row) => row.join(',')).join('\\r\\n');\n`,
        after: `export default (rows) => rows.map((row) => row.join(',')).join('\\r\\n');\n`,
      },
      'lib/render.js': {
        before: `exports.render = function render(rows, format) {
  let write;
  try {
    write = require('../formats/' + format);
  } catch (error) {
    throw new Error('No format is called ' + format);
  }
  return write(rows);
};
`,
        after: `import csv from '../formats/csv.js';
import plain from '../formats/plain.js';

const formats = new Map([['csv', csv], ['plain', plain]]);

export function render(rows, format) {
  const write = formats.get(format);
  if (write === undefined) throw new Error('No format is called ' + format);
  return write(rows);
}
`,
      },
    },
    index: {
      before: `exports.render = require('./lib/render').render;`,
      after: `export { render } from './lib/render.js';`,
    },
    test: `assert.equal(pkg.render([['a', 1]], 'csv'), 'a,1');`,
    probes: [
      {
        call: 'render',
        args: [
          [
            ['a', 1],
            ['b', 2],
          ],
          'plain',
        ],
        gives: 'a 1\nb 2',
      },
      { call: 'render', args: [[['a'], ['b']], 'csv'], gives: 'a\r\nb' },
      { call: 'render', args: [[], 'xml'], throws: 'No format is called xml' },
    ],
  },
  {
    name: 'exports-of-itself',
    files: {
      'lib/words.js': {
        before: `exports.words = function (text) {
  return text.split(/\\s+/).filter(Boolean);
};

exports.count = function (text) {
  return exports.words(text).length;
};

exports.initials = (text) => exports.words(text).map((word) => word[0].toUpperCase()).join('');
`,
        after: `export function words(text) {
  return text.split(/\\s+/).filter(Boolean);
}

export function count(text) {
  return words(text).length;
}

export const initials = (text) => words(text).map((word) => word[0].toUpperCase()).join('');
`,
      },
    },
    index: {
      before: `const words = require('./lib/words');\nexports.countWords = words.count;\nexports.initials = words.initials;`,
      after: `export { count as countWords, initials } from './lib/words.js';`,
    },
    test: `assert.equal(pkg.countWords('one two'), 2);`,
    probes: [
      { call: 'countWords', args: ['  '], gives: 0 },
      { call: 'initials', args: ['ada king lovelace'], gives: 'AKL' },
    ],
  },
  {
    name: 'sloppy-mode',
    files: {
      'lib/counter.js': {
        before: `last = 0;

exports.next = function next() {
  last = last + 1;
  return last;
};

exports.octal = 010;
`,
        after: `let last = 0;

export function next() {
  last = last + 1;
  return last;
}

export const octal = 0o10;
`,
      },
    },
    index: {
      before: `exports.next = require('./lib/counter').next;\nexports.octal = require('./lib/counter').octal;`,
      after: `export { next, octal } from './lib/counter.js';`,
    },
    test: `assert.equal(typeof pkg.next(), 'number');`,
    probes: [
      { call: 'next', args: [], gives: 1 },
      { call: 'next', args: [], gives: 2 },
      { call: 'octal', args: [], gives: 8 },
    ],
  },
  {
    name: 'circle',
    files: {
      'lib/list.js': {
        before: `const item = require('./item');

exports.list = (values) => '[' + values.map((value) => item.item(value)).join(' ') + ']';
`,
        after: `import { item } from './item.js';

export const list = (values) => '[' + values.map((value) => item(value)).join(' ') + ']';
`,
      },
      'lib/item.js': {
        before: `exports.item = function item(value) {
  // Here, because both need each other.
  const { list } = require('./list');
  return Array.isArray(value) ? list(value) : String(value);
};
`,
        after: `import { list } from './list.js';

export function item(value) {
  return Array.isArray(value) ? list(value) : String(value);
}
`,
      },
    },
    index: {
      before: `exports.show = require('./lib/item').item;`,
      after: `export { item as show } from './lib/item.js';`,
    },
    test: `assert.equal(pkg.show([1, 2]), '[1 2]');`,
    probes: [
      { call: 'show', args: [[1, [2, [3]], 'x']], gives: '[1 [2 [3]] x]' },
      { call: 'show', args: [null], gives: 'null' },
    ],
  },
  {
    name: 'own-version',
    files: {
      'lib/about.js': {
        before: `const { name, version } = require('../package.json');

exports.about = () => name.split('-')[0] + ' ' + version;
`,
        after: `import manifest from '../package.json' with { type: 'json' };

export const about = () => manifest.name.split('-')[0] + ' ' + manifest.version;
`,
      },
    },
    index: {
      before: `exports.about = require('./lib/about').about;`,
      after: `export { about } from './lib/about.js';`,
    },
    test: `assert.match(pkg.about(), /^small \\d/);`,
    probes: [{ call: 'about', args: [], gives: 'small 1.4.0' }],
  },
];
