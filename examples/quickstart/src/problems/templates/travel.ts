import type { ProblemTemplate } from '../problem-template.ts';
import { names } from './names.ts';

/** Distances, speeds, fuel, tickets. */
export const travelTemplates: readonly ProblemTemplate[] = [
  {
    name: 'two-legs',
    text: 'A train travels for {first} hours at {fast} kilometres an hour and then for {second} hours at {slow} kilometres an hour. How many kilometres does it travel in all?',
    numbers: { first: [2, 6], fast: [90, 200], second: [2, 6], slow: [40, 89] },
    steps: ['{first} * {fast}', '{second} * {slow}', '#1 + #2'],
  },
  {
    name: 'fuel-bill',
    text: "{name}'s car uses {litres} litres of fuel for 100 kilometres. Fuel costs ${price} a litre. How many dollars does a trip of {distance} kilometres cost?",
    numbers: { litres: [4, 12], price: [2, 4], distance: [200, 1200] },
    words: { name: names },
    steps: ['{distance} / 100 * {litres}', '#1 * {price}'],
  },
  {
    name: 'running-week',
    text: '{name} runs {laps} laps of {metres} metres on each of {days} days a week. How many metres does {name} run in {weeks} weeks?',
    numbers: { laps: [3, 12], metres: [200, 800], days: [2, 6], weeks: [2, 8] },
    words: { name: names },
    steps: ['{laps} * {metres}', '#1 * {days}', '#2 * {weeks}'],
  },
  {
    name: 'bus-tickets',
    text: 'A trip for {adults} adults and {children} children costs ${adult} for each adult and ${child} for each child. A coupon takes ${coupon} off the total. How many dollars does the group pay?',
    numbers: { adults: [2, 8], children: [2, 20], adult: [10, 30], child: [4, 9], coupon: [5, 20] },
    steps: ['{adults} * {adult}', '{children} * {child}', '#1 + #2 - {coupon}'],
  },
  {
    name: 'remaining-road',
    text: 'The road from one town to the next is {road} kilometres long. {name} drives for {hours} hours at {speed} kilometres an hour. How many kilometres remain?',
    numbers: { road: [400, 900], hours: [2, 6], speed: [50, 120] },
    words: { name: names },
    steps: ['{hours} * {speed}', '{road} - #1'],
  },
  {
    name: 'ferry',
    text: 'A ferry takes {cars} cars on every crossing and makes {crossings} crossings a day. How many days does it need for {total} cars?',
    numbers: { cars: [10, 40], crossings: [3, 10], total: [200, 3000] },
    steps: ['{cars} * {crossings}', '{total} / #1'],
  },
];
