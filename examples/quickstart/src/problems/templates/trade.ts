import type { ProblemTemplate } from '../problem-template.ts';
import { names } from './names.ts';

/** Buying, selling, saving. */
export const tradeTemplates: readonly ProblemTemplate[] = [
  {
    name: 'egg-stall',
    text: "{name}'s hens lay {eggs} eggs a day. {name} eats {eaten} of them and sells the rest for ${price} each. How many dollars does {name} earn in a day?",
    numbers: { eggs: [12, 60], eaten: [2, 9], price: [2, 6] },
    words: { name: names },
    steps: ['{eggs} - {eaten}', '#1 * {price}'],
  },
  {
    name: 'school-shopping',
    text: '{name} buys {books} books at ${book} each and {pens} pens at ${pen} each, and pays with a ${note} note. How many dollars of change does {name} get?',
    numbers: { books: [2, 6], book: [5, 15], pens: [3, 9], pen: [1, 4], note: [100, 200] },
    words: { name: names },
    steps: ['{books} * {book}', '{pens} * {pen}', '{note} - #1 - #2'],
  },
  {
    name: 'discount',
    text: 'A {item} costs ${price}. In the sale it is {percent} percent cheaper. How many dollars do {count} of them cost in the sale?',
    numbers: { price: [20, 200], percent: [5, 60], count: [2, 9] },
    words: { item: ['jacket', 'lamp', 'chair', 'kettle', 'backpack'] },
    steps: ['{price} * {percent} / 100', '{price} - #1', '#2 * {count}'],
  },
  {
    name: 'saving-up',
    text: '{name} wants a {item} that costs ${price} and has already saved ${saved}. {name} saves ${weekly} a week. After how many weeks can {name} buy it?',
    numbers: { price: [120, 600], saved: [10, 90], weekly: [5, 25] },
    words: { name: names, item: ['bicycle', 'guitar', 'tablet', 'telescope'] },
    steps: ['{price} - {saved}', '#1 / {weekly}'],
  },
  {
    name: 'bake-sale',
    text: 'For a bake sale {name} makes {trays} trays of {each} muffins. {unsold} muffins are left over; the others are sold for ${price} each. The ingredients cost ${cost}. What is the profit in dollars?',
    numbers: { trays: [3, 9], each: [6, 12], unsold: [2, 9], price: [2, 5], cost: [8, 30] },
    words: { name: names },
    steps: ['{trays} * {each} - {unsold}', '#1 * {price}', '#2 - {cost}'],
  },
  {
    name: 'shared-rent',
    text: '{people} friends share a flat. The rent is ${rent} a month and the bills are ${bills} a month. How many dollars does each of them pay in {months} months?',
    numbers: { people: [2, 6], rent: [600, 3000], bills: [60, 300], months: [2, 12] },
    steps: ['{rent} + {bills}', '#1 / {people}', '#2 * {months}'],
  },
];
