import type { ProblemTemplate } from '../problem-template.ts';
import { names } from './names.ts';

/** Wages, machines, harvests. */
export const workTemplates: readonly ProblemTemplate[] = [
  {
    name: 'overtime',
    text: '{name} earns ${wage} an hour for the first {regular} hours of a week and ${overtime} for every hour beyond. How many dollars does {name} earn in a week of {hours} hours?',
    numbers: { wage: [10, 30], regular: [30, 40], overtime: [20, 50], hours: [41, 60] },
    words: { name: names },
    steps: ['{wage} * {regular}', '({hours} - {regular}) * {overtime}', '#1 + #2'],
  },
  {
    name: 'machines',
    text: 'A machine makes {rate} {part} in an hour. How many {part} do {machines} such machines make in {days} days of {hours} hours?',
    numbers: { rate: [12, 90], machines: [2, 9], days: [2, 7], hours: [6, 12] },
    words: { part: ['screws', 'bolts', 'buttons', 'springs'] },
    steps: ['{rate} * {machines}', '{days} * {hours}', '#1 * #2'],
  },
  {
    name: 'orchard',
    text: 'An orchard has {rows} rows of {trees} trees, and each tree gives {apples} apples. The apples are packed into crates of {crate}. How many crates are filled?',
    numbers: { rows: [4, 12], trees: [5, 20], apples: [20, 60], crate: [10, 50] },
    steps: ['{rows} * {trees}', '#1 * {apples}', '#2 / {crate}'],
  },
  {
    name: 'painters',
    text: '{painters} painters need {days} days for a house. Working at the same speed, how many days would {other} painters need for it?',
    numbers: { painters: [2, 12], days: [2, 18], other: [2, 12] },
    steps: ['{painters} * {days}', '#1 / {other}'],
  },
  {
    name: 'typing',
    text: '{name} types {speed} words in a minute and has to type a report of {pages} pages with {words} words each. How many minutes does that take?',
    numbers: { speed: [25, 80], pages: [4, 20], words: [200, 400] },
    words: { name: names },
    steps: ['{pages} * {words}', '#1 / {speed}'],
  },
  {
    name: 'warehouse',
    text: 'A warehouse holds {stock} boxes. In the morning {trucks} trucks take {load} boxes each, and in the afternoon {delivered} boxes are delivered. How many boxes are in the warehouse in the evening?',
    numbers: { stock: [500, 2500], trucks: [2, 9], load: [20, 80], delivered: [30, 400] },
    steps: ['{trucks} * {load}', '{stock} - #1', '#2 + {delivered}'],
  },
];
