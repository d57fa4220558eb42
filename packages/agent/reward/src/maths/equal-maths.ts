import { type Answer, readAnswer, type Sides } from './answer.ts';
import { equalExpressions, equalValues, trialsFor } from './equal-expressions.ts';
import { type Expression, parseExpression, unknownsIn } from './expression.ts';
import { type Measure, readMeasure } from './measure.ts';
import { plainLatex } from './plain-latex.ts';
import { type Value, valueOf } from './value-of.ts';

/** A longer answer is compared as it was written. */
const longest = 1_000;

export interface MathsEqualityOptions {
  /**
   * How far numbers may be apart, relative to the larger one. @default none: whole numbers, fractions and decimals are compared exactly; a
   * decimal of six digits or more equals also what is less than one unit of its last digit away
   */
  tolerance?: number | undefined;
}

/**
 * True if two answers are the same: as numbers, as expressions (compared at several values of their unknowns), as
 * tuples, sets, intervals, matrices, equations and inequalities, as words, and with units where both have them. Answers
 * that are written alike are the same.
 * @param given LaTeX or plain text
 * @param expected the same
 */
export function equalMaths(given: string, expected: string, options: MathsEqualityOptions = {}): boolean {
  if (given.trim() === expected.trim()) return given.trim() !== '';
  if (given.length > longest || expected.length > longest) return false;
  const [first, second] = [plainLatex(given), plainLatex(expected)];
  if (first === '' || second === '') return false;
  if (squeezed(first) === squeezed(second)) return true;
  return equalAnswers(readAnswer(first), readAnswer(second), options.tolerance);
}

function equalAnswers(first: Answer, second: Answer, tolerance: number | undefined): boolean {
  const isSame = (a: Answer, b: Answer): boolean => equalAnswers(a, b, tolerance);
  if (first.kind === 'equation' || second.kind === 'equation')
    return equalEquations(first, second, tolerance);
  if (first.kind === 'inequality' && second.kind !== 'inequality')
    return first.range !== undefined && isSame(first.range, second);
  if (second.kind === 'inequality' && first.kind !== 'inequality')
    return second.range !== undefined && isSame(first, second.range);
  switch (first.kind) {
    case 'words':
      return second.kind === 'words' && first.text === second.text;
    case 'measure':
      return second.kind === 'measure' && equalMeasures(first.measure, second.measure, tolerance);
    case 'tuple':
      return (
        second.kind === 'tuple' &&
        first.brackets === second.brackets &&
        first.items.length === second.items.length &&
        first.items.every((item, at) => isSame(item, second.items[at]!))
      );
    case 'list':
    case 'set':
    case 'signs':
    case 'union':
      return 'items' in second && equalItems(first, second, isSame);
    case 'inequality':
      return (
        second.kind === 'inequality' &&
        areSameSet(first.links, second.links, (a, b) => a.sign === b.sign && isMultiple(a, b, a.sign !== '≠'))
      );
  }
}

type Items = Extract<Answer, { items: readonly Answer[] }>;

/** Lists in their order, unless both sides say set; equations by the names in them; `\\pm` in any order. */
function equalItems(first: Items, second: Items, isSame: (a: Answer, b: Answer) => boolean): boolean {
  const kinds = [first.kind, second.kind];
  if (kinds.some((kind) => kind === 'union' || kind === 'tuple') && first.kind !== second.kind) return false;
  const isUnordered =
    kinds.includes('signs') ||
    (first.kind === second.kind && first.kind !== 'list') ||
    [first, second].every(isNamed);
  if (isUnordered) return areSameSet(first.items, second.items, isSame);
  return (
    first.items.length === second.items.length &&
    first.items.every((item, at) => isSame(item, second.items[at]!))
  );
}

function isNamed({ items }: Items): boolean {
  const names = items.map((item) => (item.kind === 'equation' ? item.name : undefined));
  return !names.includes(undefined) && new Set(names).size === names.length;
}

/** Each is among the others: how often something is named does not count. */
function areSameSet<Item>(
  first: readonly Item[],
  second: readonly Item[],
  isSame: (a: Item, b: Item) => boolean,
): boolean {
  return (
    first.every((item) => second.some((other) => isSame(item, other))) &&
    second.every((other) => first.some((item) => isSame(item, other)))
  );
}

/** `x = 5` says 5, and what has no such name on its left is compared as a whole: `2x = 10` is `x - 5 = 0`. */
function equalEquations(first: Answer, second: Answer, tolerance: number | undefined): boolean {
  if (first.kind === 'equation' && second.kind === 'equation') {
    const isOfSame = first.name === undefined || second.name === undefined || first.name === second.name;
    if (isOfSame && first.value && second.value && equalAnswers(first.value, second.value, tolerance))
      return true;
    return (
      first.sides !== undefined && second.sides !== undefined && isMultiple(first.sides, second.sides, false)
    );
  }
  const [equation, other] = first.kind === 'equation' ? [first, second] : [second, first];
  const value = equation.kind === 'equation' ? (equation.value ?? resultOf(equation.sides)) : undefined;
  if (value === undefined) return false;
  return first === equation ? equalAnswers(value, other, tolerance) : equalAnswers(other, value, tolerance);
}

/** `1 + 6 = 7` says 7; an equation of numbers that does not hold says nothing. */
function resultOf(sides: Sides | undefined): Answer | undefined {
  const [left, right] = [sides?.left, sides?.right].map((side) =>
    side === undefined ? undefined : parseExpression(side),
  );
  if (left === undefined || right === undefined || unknownsIn(left).length + unknownsIn(right).length > 0)
    return undefined;
  return equalExpressions(left, right) ? readAnswer(sides!.right) : undefined;
}

/** True if the differences of the sides are multiples of each other, so that both are 0 (or above 0) together. */
function isMultiple(
  first: { left: string; right: string },
  second: { left: string; right: string },
  isPositive: boolean,
): boolean {
  const differences = [first, second].map(({ left, right }): Expression | undefined => {
    const [a, b] = [parseExpression(left), parseExpression(right)];
    return a !== undefined && b !== undefined ? ['Subtract', a, b] : undefined;
  });
  const [one, other] = differences;
  if (one === undefined || other === undefined) return false;
  const ratios: Value[] = [];
  for (const values of trialsFor(one, other)) {
    if (values.size === 0) return false;
    const ratio = valueOf(['Divide', one, other], values);
    if (ratio === undefined) return false;
    ratios.push(ratio);
  }
  const [factor] = ratios;
  if (factor === undefined || !ratios.every((ratio) => equalValues(ratio, factor))) return false;
  const sign =
    'exact' in factor ? Number(factor.exact.n > 0n) - Number(factor.exact.n < 0n) : Math.sign(factor.re);
  return isPositive ? sign > 0 : sign !== 0;
}

/** Equal without blanks; those between letters and digits stay, because `1 1/4` is not `11/4`. */
function squeezed(latex: string): string {
  let made = '';
  for (const part of latex.split(/\s+/))
    made += (/[\p{L}\d.]$/u.test(made) && /^[\p{L}\d.]/u.test(part) ? ' ' : '') + part;
  return made;
}

function equalMeasures(given: Measure, expected: Measure, tolerance: number | undefined): boolean {
  const [first, second] = [withUnitAs(given, expected), withUnitAs(expected, given)];
  if (first.label !== second.label) return false;
  const [dimension, other] = [first.unit?.dimension ?? '', second.unit?.dimension ?? ''];
  // A unit that only one side has is taken for granted; a scale is part of the number.
  const isOne = dimension === '' || other === '';
  if (!isOne && dimension !== other) return false;
  // Radians have no unit: 30 degrees are 30 and pi/6.
  const isAngle = isOne && (dimension === 'angle^1' || other === 'angle^1');
  return (
    areEqualNumbers(first, second, !isOne, tolerance) ||
    (isAngle && areEqualNumbers(first, second, true, tolerance))
  );
}

/** `3m` is a product, or three metres where the other side has a unit. */
function withUnitAs(measure: Measure, other: Measure): Measure {
  return measure.unit === undefined && other.unit !== undefined && measure.label === undefined
    ? readMeasure(measure.latex, true)
    : measure;
}

function areEqualNumbers(
  first: Measure,
  second: Measure,
  withUnits: boolean,
  tolerance: number | undefined,
): boolean {
  const [a, b] = [first, second].map(({ latex, unit }) => {
    const number = parseExpression(latex);
    const factors = [...(unit?.scale ?? []), ...(withUnits ? (unit?.factor ?? []) : [])].filter(
      (factor) => factor !== 1,
    );
    return number === undefined || factors.length === 0
      ? number
      : (['Multiply', number, ...factors] as const);
  });
  if (a === undefined || b === undefined)
    return (
      squeezed(first.latex) === squeezed(second.latex) &&
      JSON.stringify(first.unit) === JSON.stringify(second.unit)
    );
  return equalExpressions(a, b, tolerance);
}
