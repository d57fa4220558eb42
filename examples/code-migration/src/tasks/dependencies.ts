import type { Dependency } from './piece.ts';

/** Invented packages at version 2, which is an ES module, with a note on what changed since version 1. */
export const dependencies: readonly Dependency[] = [
  {
    name: 'tinymoney',
    formerly: `module.exports = (amount, currency) => amount.toFixed(2) + ' ' + currency;
module.exports.parse = (text) => Number(text.split(' ')[0]);
`,
    installed: {
      'index.js': `export function format({ cents, currency }) {
  if (!Number.isInteger(cents)) throw new TypeError('cents must be a whole number');
  return (cents / 100).toFixed(2) + ' ' + currency;
}

export function parse(text) {
  const [amount, currency] = text.split(' ');
  return { cents: Math.round(Number(amount) * 100), currency };
}
`,
      'MIGRATION.md': `# tinymoney: from 1 to 2

- There is no default export any more. \`money(amount, currency)\` is \`format({ cents, currency })\`.
- Amounts are whole cents. Version 1 took 12.5 for twelve and a half.
- \`money.parse(text)\` gave the amount as a number. \`parse(text)\` gives \`{ cents, currency }\`.
`,
    },
    files: {
      'lib/price.js': {
        before: `const money = require('tinymoney');

exports.price = (amount) => 'only ' + money(amount, 'EUR');
exports.cheaper = (a, b) => (money.parse(a) <= money.parse(b) ? a : b);
exports.amountOf = (text) => money.parse(text);
`,
        after: `import { format, parse } from 'tinymoney';

export const price = (amount) => 'only ' + format({ cents: Math.round(amount * 100), currency: 'EUR' });
export const cheaper = (a, b) => (parse(a).cents <= parse(b).cents ? a : b);
export const amountOf = (text) => parse(text).cents / 100;
`,
      },
    },
    index: {
      before: `Object.assign(exports, require('./lib/price'));`,
      after: `export { amountOf, cheaper, price } from './lib/price.js';`,
    },
    test: `assert.equal(pkg.price(3), 'only 3.00 EUR');`,
    probes: [
      { call: 'price', args: [12.5], gives: 'only 12.50 EUR' },
      { call: 'price', args: [0.29], gives: 'only 0.29 EUR' },
      { call: 'cheaper', args: ['9.50 EUR', '10.00 EUR'], gives: '9.50 EUR' },
      { call: 'amountOf', args: ['7.25 EUR'], gives: 7.25 },
    ],
  },
  {
    name: 'daystep',
    formerly: `const day = 86_400_000;
exports.addDays = (iso, days) => new Date(Date.parse(iso) + days * day).toISOString().slice(0, 10);
exports.addWeeks = (iso, weeks) => exports.addDays(iso, 7 * weeks);
exports.diff = (earlier, later) => (Date.parse(later) - Date.parse(earlier)) / day;
`,
    installed: {
      'index.js': `const day = 86_400_000;
const ms = (iso) => Date.parse(iso + 'T00:00:00Z');

export function add(iso, { days = 0, weeks = 0 }) {
  return new Date(ms(iso) + (days + 7 * weeks) * day).toISOString().slice(0, 10);
}

export function diff(later, earlier) {
  return { days: (ms(later) - ms(earlier)) / day };
}
`,
      'MIGRATION.md': `# daystep: from 1 to 2

- \`addDays(date, 3)\` is \`add(date, { days: 3 })\`, and \`addWeeks\` is \`add(date, { weeks: 1 })\`.
- \`diff(earlier, later)\` gave a number. Now the later date comes first, and the result is \`{ days }\`.
- The package is an ES module with named exports.
`,
    },
    files: {
      'lib/due.js': {
        before: `const { addDays, addWeeks, diff } = require('daystep');

module.exports.due = (sent) => addDays(sent, 30);
module.exports.reminder = (sent) => addWeeks(module.exports.due(sent), 1);
module.exports.daysLeft = (today, due) => Math.max(0, diff(today, due));
`,
        after: `import { add, diff } from 'daystep';

export const due = (sent) => add(sent, { days: 30 });
export const reminder = (sent) => add(due(sent), { weeks: 1 });
export const daysLeft = (today, due) => Math.max(0, diff(due, today).days);
`,
      },
    },
    index: {
      before: `module.exports.due = require('./lib/due').due;
module.exports.reminder = require('./lib/due').reminder;
module.exports.daysLeft = require('./lib/due').daysLeft;`,
      after: `export { daysLeft, due, reminder } from './lib/due.js';`,
    },
    test: `assert.equal(pkg.due('2026-01-01'), '2026-01-31');`,
    probes: [
      { call: 'due', args: ['2026-02-10'], gives: '2026-03-12' },
      { call: 'reminder', args: ['2026-01-01'], gives: '2026-02-07' },
      { call: 'daysLeft', args: ['2026-03-01', '2026-03-12'], gives: 11 },
      { call: 'daysLeft', args: ['2026-03-12', '2026-03-01'], gives: 0 },
    ],
  },
  {
    name: 'listkit',
    formerly: `exports.chunk = (list, size) => (list.length ? [list.slice(0, size), ...exports.chunk(list.slice(size), size)] : []);
exports.uniq = (list) => [...new Set(list)];
exports.sortBy = (list, key) => list.sort((a, b) => a[key] - b[key]);
`,
    installed: {
      'index.js': `export const chunk = (size, list) =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, at) => list.slice(at * size, (at + 1) * size));

export const unique = (list) => [...new Set(list)];

export const sortBy = (key, list) => [...list].sort((a, b) => (a[key] < b[key] ? -1 : a[key] > b[key] ? 1 : 0));

export default { chunk, unique, sortBy };
`,
      'MIGRATION.md': `# listkit: from 1 to 2

- The list comes last: \`chunk(list, 2)\` is \`chunk(2, list)\`, \`sortBy(list, 'age')\` is \`sortBy('age', list)\`.
- \`sortBy\` sorted the list itself and returned it. Now the list stays as it is, and a copy is returned.
- \`uniq\` is called \`unique\`.
`,
    },
    files: {
      'lib/table.js': {
        before: `const kit = require('listkit');

exports.pages = (names) => kit.chunk(kit.uniq(names), 2);
exports.ranked = function ranked(people) {
  kit.sortBy(people, 'age');
  return people.map((person) => person.name);
};
`,
        after: `import { chunk, sortBy, unique } from 'listkit';

export const pages = (names) => chunk(2, unique(names));
export function ranked(people) {
  return sortBy('age', people).map((person) => person.name);
}
`,
      },
    },
    index: {
      before: `const table = require('./lib/table');\nexports.pages = table.pages;\nexports.ranked = table.ranked;`,
      after: `export { pages, ranked } from './lib/table.js';`,
    },
    test: `assert.deepEqual(pkg.pages(['a', 'b']), [['a', 'b']]);`,
    probes: [
      { call: 'pages', args: [['a', 'b', 'a', 'c']], gives: [['a', 'b'], ['c']] },
      { call: 'pages', args: [[]], gives: [] },
      {
        call: 'ranked',
        args: [
          [
            { name: 'x', age: 9 },
            { name: 'y', age: 3 },
          ],
        ],
        gives: ['y', 'x'],
      },
    ],
  },
];
