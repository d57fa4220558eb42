import { argumentsOf, type Expression, headOf, unknownsIn } from './expression.ts';
import { type Rational, rational, readRational, toDouble } from './rational.ts';
import { inexact, type Value, valueOf, type Values } from './value-of.ts';

/** Values for unknowns, some of them negative, and none of them a number at which different expressions are often equal. */
const samples = ['0.7390851', '-1.3247179', '2.6651441', '-3.3598856', '5.1961524'].map((text) =>
  readRational(text)!,
);
/** A double is a sum of some roundings; how far they may add up is estimated and not known. */
const noiseFactor = 64;
/** A decimal of fewer digits is no rounding: `0.3` is not a third. */
const roundedDigits = 6;

/**
 * True if two expressions are the same number, or the same function of their unknowns. Expressions without a finite
 * value (an infinity, a set, an unknown function) are compared part by part.
 * @param tolerance largest distance of two numbers, relative to the larger one; without it exact numbers are compared
 * exactly, and a decimal of six digits or more also equals any number that rounds to it
 */
export function equalExpressions(first: Expression, second: Expression, tolerance?: number): boolean {
  let compared = 0;
  for (const values of trialsFor(first, second)) {
    const [a, b] = [valueOf(first, values), valueOf(second, values)];
    if (a === undefined && b === undefined) continue;
    if (a === undefined || b === undefined || !equalValues(a, b, tolerance)) {
      const isRounded = a !== undefined && b !== undefined && tolerance === undefined;
      return isRounded && (isRoundingOf(first, a, b) || isRoundingOf(second, b, a));
    }
    compared += 1;
  }
  return compared > 0 || equalParts(first, second, tolerance);
}

/** Values of the unknowns of some expressions, to compare the expressions at. */
export function trialsFor(...expressions: readonly Expression[]): Values[] {
  const names = [...new Set(expressions.flatMap(unknownsIn))].toSorted();
  const trials = names.length === 0 ? samples.slice(0, 1) : samples;
  return trials.map(
    (_, trial) =>
      new Map(
        names.map((name, at) => {
          const { n, d } = samples[(trial + at) % samples.length]!;
          return [name, rational(n + BigInt(at) * d, d)!];
        }),
      ),
  );
}

export function equalValues(a: Value, b: Value, tolerance?: number): boolean {
  if ('exact' in a && 'exact' in b && equalRationals(a.exact, b.exact)) return true;
  const [first, second] = [inexact(a), inexact(b)];
  const distance = Math.hypot(first.re - second.re, first.im - second.im);
  if (tolerance !== undefined) {
    const size = Math.max(Math.hypot(first.re, first.im), Math.hypot(second.re, second.im));
    return Number.isFinite(size) && distance <= tolerance * size;
  }
  if ('exact' in a && 'exact' in b) return false;
  return distance <= noiseFactor * (first.noise + second.noise);
}

function equalRationals(first: Rational, second: Rational): boolean {
  return first.n === second.n && first.d === second.d;
}

/** True if one is a decimal with enough digits to which the other, which is no finite decimal, is rounded or cut. */
function isRoundingOf(expression: Expression, value: Value, other: Value): boolean {
  const text = decimalOf(expression);
  if (text === undefined || !('exact' in value) || ('exact' in other && isDecimal(other.exact))) return false;
  const [, digits = '', exponent = '0'] = /^([\d.]+)(?:e(.*))?$/i.exec(text) ?? [];
  const [whole = '', fraction = ''] = digits.split('.');
  const significant = (whole + fraction).replace(/^0+/, '');
  if (fraction === '' || significant.length < roundedDigits) return false;
  const unit = 10 ** (Number(exponent) - fraction.length);
  const { re, im } = inexact(other);
  // Exact numbers are subtracted exactly: their distance may be smaller than what a double of them holds.
  const above =
    'exact' in other
      ? toDouble({
          n: other.exact.n * value.exact.d - value.exact.n * other.exact.d,
          d: value.exact.d * other.exact.d,
        })
      : re - toDouble(value.exact);
  const isCut = above * Math.sign(re) >= 0 && Math.abs(above) < unit * (1 - 1e-6);
  return im === 0 && (isCut || Math.abs(above) <= unit * (0.5 + 1e-6));
}

/** Its denominator has no other prime factors than 2 and 5. */
function isDecimal({ d }: Rational): boolean {
  let rest = d;
  for (const prime of [2n, 5n]) while (rest % prime === 0n) rest /= prime;
  return rest === 1n;
}

function decimalOf(expression: Expression): string | undefined {
  if (typeof expression === 'number') return String(expression);
  if (typeof expression === 'object' && 'num' in expression) return expression.num;
  return headOf(expression) === 'Negate'
    ? decimalOf(argumentsOf(expression)[0]!)?.replace(/^-/, '')
    : undefined;
}

function equalParts(first: Expression, second: Expression, tolerance?: number): boolean {
  const head = headOf(first);
  if (head === undefined) return typeof first === 'string' && first === second;
  const [parts, others] = [first, second].map((each) => argumentsOf(each).filter((part) => !isLayout(part)));
  return (
    head === headOf(second) &&
    parts!.length === others!.length &&
    parts!.every((part, at) => equalExpressions(part, others![at]!, tolerance))
  );
}

/** Which brackets a matrix has does not count. */
function isLayout(expression: Expression): boolean {
  return typeof expression === 'string' && /^'[^\p{L}\d]*'$/u.test(expression);
}
