import { ComputeEngine } from '@cortex-js/compute-engine';
import { readMeasure, type Unit } from './measure.ts';

export interface MathsEqualityOptions {
  /** How far numbers may be apart, relative to the expected one. @default 1e-6 */
  tolerance?: number | undefined;
}

const defaultTolerance = 1e-6;
/** Values for unknowns: no small whole number, at which different expressions are often equal. */
const samples = [0.7390851, 1.3247179, 2.6651441, 3.3598856, 5.1961524];
const plainCommands = new Set(
  (
    'frac sqrt pi infty cdot times div pm mp sin cos tan cot sec csc arcsin arccos arctan sinh cosh tanh log ln exp binom ' +
    'alpha beta gamma delta epsilon theta lambda mu nu rho sigma tau phi varphi psi omega imaginaryI exponentialE'
  ).split(' '),
);
const brackets: Record<string, string> = { '(': ')', '[': ']', '\\{': '\\}', '{': '}' };

type Expression = NonNullable<ReturnType<ComputeEngine['parse']>>;

let engine: ComputeEngine | undefined;

/**
 * Whether two answers are the same: as numbers, as expressions (compared at several values of their unknowns), as tuples, sets and
 * intervals part by part, and with units where both have them.
 * @param given LaTeX or plain text @param expected the same
 */
export function equalMaths(given: string, expected: string, options: MathsEqualityOptions = {}): boolean {
  const [first, second] = [readMeasure(given), readMeasure(expected)];
  const { tolerance = defaultTolerance } = options;
  if (!areComparable(first.unit, second.unit)) return false;
  const factor =
    first.unit === undefined || second.unit === undefined ? 1 : first.unit.factor / second.unit.factor;
  return equalParts(first.latex, second.latex, factor, tolerance);
}

/** A unit that only one side has is taken for granted. */
function areComparable(first: Unit | undefined, second: Unit | undefined): boolean {
  return first === undefined || second === undefined || first.quantity === second.quantity;
}

function equalParts(first: string, second: string, factor: number, tolerance: number): boolean {
  const [parts, others] = [partsOf(first), partsOf(second)];
  if (parts.open !== others.open || parts.close !== others.close) return false;
  if (parts.items.length !== others.items.length) return false;
  if (parts.open === '' && parts.items.length === 1)
    return equalExpressions(first, second, factor, tolerance);
  const isSet = parts.open === '\\{' || parts.open === '';
  if (!isSet) return parts.items.every((item, at) => equalParts(item, others.items[at]!, factor, tolerance));
  const left = [...others.items];
  return parts.items.every((item) => {
    const at = left.findIndex((candidate) => equalParts(item, candidate, factor, tolerance));
    if (at !== -1) left.splice(at, 1);
    return at !== -1;
  });
}

/** `(1, 2)`, `[0, 1)`, `\{1, 2\}`, `1, 2`: their brackets and what stands between their commas. */
function partsOf(latex: string): { open: string; close: string; items: string[] } {
  const text = latex.trim();
  const open = ['\\{', '(', '['].find((bracket) => text.startsWith(bracket)) ?? '';
  const close = ['\\}', ')', ']'].find((bracket) => text.endsWith(bracket)) ?? '';
  const inner = open === '' || close === '' ? text : text.slice(open.length, -close.length);
  const items = splitAtCommas(inner);
  // `(x+1)(x-1)` begins and ends with brackets and is no tuple.
  if (items.length === 1 && open !== '\\{') return { open: '', close: '', items: [text] };
  return open === '' || close === ''
    ? { open: '', close: '', items: splitAtCommas(text) }
    : { open, close, items };
}

function splitAtCommas(text: string): string[] {
  const items: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]!;
    if (Object.hasOwn(brackets, character)) depth += 1;
    else if (Object.values(brackets).includes(character)) depth -= 1;
    else if (character === ',' && depth === 0) {
      items.push(text.slice(from, at));
      from = at + 1;
    }
  }
  return [...items, text.slice(from)].map((item) => item.trim());
}

function equalExpressions(first: string, second: string, factor: number, tolerance: number): boolean {
  if (factor === 1 && first.replaceAll(/\s/g, '') === second.replaceAll(/\s/g, '')) return true;
  if (![first, second].every(isPlain)) return false;
  engine ??= machineEngine();
  const [left, right] = [engine.parse(first), engine.parse(second)];
  if (!left.isValid || !right.isValid) return false;
  const names = [...new Set([...left.unknowns, ...right.unknowns])];
  const trials = names.length === 0 ? samples.slice(0, 1) : samples;
  let compared = 0;
  for (const [trial] of trials.entries()) {
    const values = Object.fromEntries(
      names.map((name, at) => [name, samples[(trial + at) % samples.length]! + at]),
    );
    const a = numberOf(left.subs(values));
    const b = numberOf(right.subs(values));
    if (a === undefined && b === undefined) continue;
    if (a === undefined || b === undefined) return false;
    if (!areClose(a.re * factor, b.re, tolerance) || !areClose(a.im * factor, b.im, tolerance)) return false;
    compared += 1;
  }
  return compared > 0;
}

/**
 * Whether an expression ends soon: a sum up to 10^9 or the factorial of 10^6 would take hours, and an answer that needs one is not final.
 */
function isPlain(latex: string): boolean {
  const commands = latex.match(/\\[a-zA-Z]+/g) ?? [];
  const hasLargeFactorial = /(?:\d{4,}|[^\d\s])\s*!|!\s*!/.test(latex);
  return commands.every((command) => plainCommands.has(command.slice(1))) && !hasLargeFactorial;
}

/** Doubles, and not decimals of any length: 9^9^9^9 is infinite at once. */
function machineEngine(): ComputeEngine {
  const made = new ComputeEngine();
  made.precision = 'machine';
  return made;
}

function numberOf(expression: Expression): { re: number; im: number } | undefined {
  const value = expression.N();
  const { re, im } = value;
  if (Number.isNaN(re)) return undefined;
  return { re, im: Number.isNaN(im) ? 0 : im };
}

function areClose(given: number, expected: number, tolerance: number): boolean {
  if (given === expected) return true;
  return Math.abs(given - expected) <= tolerance * Math.max(Math.abs(expected), 1e-6);
}
