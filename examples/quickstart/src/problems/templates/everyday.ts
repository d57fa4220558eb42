import type { ProblemTemplate } from '../problem-template.ts';
import { names } from './names.ts';

/** Ages, reading, sharing, measuring. */
export const everydayTemplates: readonly ProblemTemplate[] = [
  {
    name: 'ages',
    text: '{name} is {age} years old. The uncle of {name} is {times} times as old. How old will the uncle be in {years} years?',
    numbers: { age: [6, 20], times: [2, 5], years: [2, 25] },
    words: { name: names },
    steps: ['{age} * {times}', '#1 + {years}'],
  },
  {
    name: 'reading',
    text: 'A book has {pages} pages. {name} reads {first} pages on the first day and {daily} pages on every day after it. On how many days after the first does {name} read until the book is finished?',
    numbers: { pages: [150, 600], first: [20, 60], daily: [10, 45] },
    words: { name: names },
    steps: ['{pages} - {first}', '#1 / {daily}'],
  },
  {
    name: 'sweets',
    text: '{name} has {bags} bags with {each} sweets each, gives {given} sweets away and shares the rest equally among {children} children. How many sweets does each child get?',
    numbers: { bags: [3, 12], each: [8, 30], given: [2, 20], children: [3, 9] },
    words: { name: names },
    steps: ['{bags} * {each}', '#1 - {given}', '#2 / {children}'],
  },
  {
    name: 'garden-fence',
    text: 'A garden is {length} metres long and {width} metres wide. A fence all around it costs ${price} a metre. How many dollars does the fence cost?',
    numbers: { length: [10, 40], width: [5, 25], price: [6, 25] },
    steps: ['2 * ({length} + {width})', '#1 * {price}'],
  },
  {
    name: 'tank',
    text: 'A tank holds {capacity} litres and is {percent} percent full. A pump adds {rate} litres a minute. After how many minutes is the tank full?',
    numbers: { capacity: [100, 1000], percent: [10, 90], rate: [2, 20] },
    steps: ['{capacity} * {percent} / 100', '{capacity} - #1', '#2 / {rate}'],
  },
  {
    name: 'stamps',
    text: '{name} has {own} stamps. {other} has {times} times as many, and loses {lost} of them. How many stamps do the two have together?',
    numbers: { own: [10, 80], times: [2, 6], lost: [3, 19] },
    words: { name: names.slice(0, 12), other: names.slice(12) },
    steps: ['{own} * {times} - {lost}', '#1 + {own}'],
  },
  {
    name: 'cinema-rows',
    text: 'A cinema has {rows} rows of {seats} seats. On {day} {empty} seats stay empty. How many people are there if {upstairs} more sit upstairs?',
    numbers: { rows: [8, 25], seats: [10, 30], empty: [5, 70], upstairs: [4, 40] },
    words: { day: ['Monday', 'Friday', 'Saturday', 'Sunday'] },
    steps: ['{rows} * {seats}', '#1 - {empty} + {upstairs}'],
  },
];
