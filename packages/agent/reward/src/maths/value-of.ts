import { ComputeEngine } from '@cortex-js/compute-engine';
import { argumentsOf, type Expression, headOf } from './expression.ts';
import { power, type Rational, rational, readRational, root, toDouble } from './rational.ts';

/** A number: exact, or a complex double and how far at most it may be from the truth. */
export type Value = { exact: Rational } | { re: number; im: number; noise: number };

/** Values of the unknowns. */
export type Values = ReadonlyMap<string, Rational>;

const epsilon = Number.EPSILON;
/** A double that may be wrong by more, relative to itself and to 1, is not known. */
const mostNoise = 1e-9;
/** The engine computes them from doubles in bounded time; what is not here has no value. */
const functions = new Set(
  (
    'Add Subtract Multiply Divide Negate Power Sqrt Root Abs Exp Ln Log Lb Sin Cos Tan Cot Sec Csc Arcsin Arccos Arctan Arccot Arcsec Arccsc ' +
    'Sinh Cosh Tanh Coth Sech Csch Arsinh Arcosh Artanh Floor Ceil Factorial Binomial Max Min Degrees Conjugate'
  ).split(' '),
);

let engine: ComputeEngine | undefined;

/**
 * The finite number that an expression is: exactly where its parts are rational and its size allows that, otherwise as a double.
 * Undefined for everything else: infinities, 1/0, numbers past all doubles, sets, unknown functions.
 */
export function valueOf(expression: Expression, values: Values): Value | undefined {
  if (typeof expression === 'number') return exactly(readRational(String(expression)));
  if (typeof expression === 'string') return valueOfName(expression, values);
  if ('num' in expression) return exactly(readRational(expression.num));
  const meant = rewritten(expression);
  if (meant !== expression) return valueOf(meant, values);
  const head = headOf(expression)!;
  if (head === 'Rational') return valueOf(['Divide', ...argumentsOf(expression)], values);
  if (!functions.has(head)) return undefined;
  const operands = argumentsOf(expression).map((argument) => valueOf(argument, values));
  if (!operands.every((operand) => operand !== undefined)) return undefined;
  const rationals = operands.flatMap((operand) => ('exact' in operand ? [operand.exact] : []));
  const exact = rationals.length === operands.length ? exactResult(head, rationals) : undefined;
  return exactly(exact) ?? doubleResult(head, operands);
}

/** The value as a double. */
export function inexact(value: Value): { re: number; im: number; noise: number } {
  if (!('exact' in value)) return value;
  const re = toDouble(value.exact);
  return { re, im: 0, noise: Math.abs(re) * epsilon };
}

function exactly(exact: Rational | undefined): Value | undefined {
  return exact && { exact };
}

function valueOfName(name: string, values: Values): Value | undefined {
  if (name === 'Pi') return { re: Math.PI, im: 0, noise: Math.PI * epsilon };
  if (name === 'ExponentialE' || name === 'e') return { re: Math.E, im: 0, noise: Math.E * epsilon };
  if (name === 'ImaginaryUnit' || name === 'i') return { re: 0, im: 1, noise: 0 };
  return exactly(values.get(name));
}

/** Brackets, products without a sign and inverse functions, as what they mean. */
function rewritten(expression: Expression): Expression {
  const [first, second] = argumentsOf(expression);
  switch (headOf(expression)) {
    case 'Delimiter':
      return headOf(first!) === 'Sequence' ? expression : first!;
    case 'InvisibleOperator':
      return ['Multiply', ...argumentsOf(expression)];
    case 'Apply': {
      const [inverted] = headOf(first!) === 'InverseFunction' ? argumentsOf(first!) : [];
      return typeof inverted === 'string' && second !== undefined
        ? [`Arc${inverted.toLowerCase()}`, second]
        : expression;
    }
    default:
      return expression;
  }
}

function exactResult(head: string, operands: readonly Rational[]): Rational | undefined {
  const [a, b] = operands;
  if (a === undefined) return undefined;
  switch (head) {
    case 'Add':
      return reduced(operands, plus);
    case 'Subtract':
      return reduced(operands, (x, y) => plus(x, { n: -y.n, d: y.d }));
    case 'Multiply':
      return reduced(operands, (x, y) => rational(x.n * y.n, x.d * y.d));
    case 'Divide':
      return reduced(operands, (x, y) => rational(x.n * y.d, x.d * y.n));
    case 'Negate':
      return { n: -a.n, d: a.d };
    case 'Abs':
      return { n: a.n < 0n ? -a.n : a.n, d: a.d };
    case 'Conjugate':
      return a;
    case 'Floor':
      return rational(floor(a));
    case 'Ceil':
      return rational(-floor({ n: -a.n, d: a.d }));
    case 'Sqrt':
      return root(a, 2n);
    case 'Root':
      return b?.d === 1n ? root(a, b.n) : undefined;
    case 'Power': {
      const base = b && root(a, b.d);
      return base && power(base, b.n);
    }
    case 'Factorial':
      return a.d === 1n ? product(1n, a.n) : undefined;
    case 'Binomial':
      return b && binomial(a, b);
    default:
      return undefined;
  }
}

function reduced(
  operands: readonly Rational[],
  step: (x: Rational, y: Rational) => Rational | undefined,
): Rational | undefined {
  let result = operands[0];
  for (const operand of operands.slice(1)) result = result && step(result, operand);
  return result;
}

function plus(x: Rational, y: Rational): Rational | undefined {
  return x.d === y.d ? rational(x.n + y.n, x.d) : rational(x.n * y.d + y.n * x.d, x.d * y.d);
}

function floor({ n, d }: Rational): bigint {
  return n / d - (n < 0n && n % d !== 0n ? 1n : 0n);
}

const mostFactors = 500n;

function product(from: bigint, to: bigint): Rational | undefined {
  if (to < 0n || to - from > mostFactors) return undefined;
  let result = 1n;
  for (let factor = from; factor <= to; factor += 1n) result *= factor;
  return rational(result);
}

function binomial(n: Rational, k: Rational): Rational | undefined {
  if (n.d !== 1n || k.d !== 1n || k.n < 0n || n.n < k.n || n.n > 2n ** 32n) return undefined;
  const [above, below] = [product(n.n - k.n + 1n, n.n), product(1n, k.n)];
  return above && below && rational(above.n, below.n);
}

/**
 * How far the result may be off is found by moving each operand as far as it may be off. The engine computes doubles and more digits, but does not
 * say which of them are noise: without a bound `\lfloor\sqrt2\cdot\sqrt2\rfloor` would be 2 or 1 by chance, and `\sqrt2\cdot10^{-15}` would be 0.
 */
function doubleResult(head: string, operands: readonly Value[]): Value | undefined {
  const doubles = operands.map(inexact);
  const result = compute(head, doubles);
  if (result === undefined) return undefined;
  const size = Math.hypot(result.re, result.im);
  let noise = size * epsilon;
  for (const [at, operand] of doubles.entries()) {
    if (operand.noise === 0) continue;
    const moved = compute(head, doubles.with(at, { ...operand, re: operand.re + operand.noise }));
    if (moved === undefined) return undefined;
    noise += Math.hypot(moved.re - result.re, moved.im - result.im);
  }
  return noise > mostNoise * Math.max(1, size) ? undefined : { ...result, noise };
}

function compute(
  head: string,
  operands: readonly { re: number; im: number }[],
): { re: number; im: number } | undefined {
  // Of larger numbers the gamma function takes the engine long.
  if (/^(?:Factorial|Binomial)$/.test(head) && operands.some(({ re }) => Math.abs(re) > 150))
    return undefined;
  const [base, exponent] = operands;
  if (head === 'Power' && base!.re < 0 && base!.im === 0 && exponent!.im === 0) {
    const numerator = numeratorOverOdd(exponent!.re);
    // (-8)^(2/3) is the square of the real root, as \sqrt[3]{-8}^2 is.
    if (numerator !== undefined)
      return finite((numerator % 2 === 0 ? 1 : -1) * (-base!.re) ** exponent!.re, 0);
  }
  engine ??= machineEngine();
  const made = engine;
  const numbers = operands.map(({ re, im }) => (im === 0 ? made.number(re) : made.expr(['Complex', re, im])));
  const { re, im } = made.function(head, numbers).N();
  // 0 may stand for a number below all doubles, such as 2^(-5000).
  const isLost = re === 0 && im === 0 && operands.every((operand) => operand.re !== 0 || operand.im !== 0);
  return isLost && /^(?:Power|Exp|Multiply|Divide)$/.test(head) ? undefined : finite(re, im);
}

function finite(re: number, im: number): { re: number; im: number } | undefined {
  return Number.isFinite(re) && Number.isFinite(im) ? { re, im } : undefined;
}

function numeratorOverOdd(exponent: number): number | undefined {
  for (let denominator = 1; denominator < 100; denominator += 2) {
    const numerator = Math.round(exponent * denominator);
    if (Math.abs(numerator / denominator - exponent) <= 4 * epsilon * Math.abs(exponent)) return numerator;
  }
  return undefined;
}

/** Doubles, and not decimals of any length: their time is bounded. */
function machineEngine(): ComputeEngine {
  const made = new ComputeEngine();
  made.precision = 'machine';
  return made;
}
