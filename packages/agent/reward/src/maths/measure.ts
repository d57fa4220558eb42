import type { Expression } from './expression.ts';
import { trailingText } from './plain-latex.ts';

/** An expression, and the unit behind it. */
export interface Measure {
  latex: string;
  /** Undefined for a bare number. */
  unit: Unit | undefined;
}

/** The quantity that a unit measures, and its size in the quantity's base unit. */
export interface Unit {
  quantity: string;
  factor: Expression;
}

const units: Record<string, Unit> = {};
const define = (quantity: string, names: Readonly<Record<string, Expression>>): void => {
  for (const [text, factor] of Object.entries(names))
    for (const name of text.split(' ')) units[name] = { quantity, factor };
};
define('length', {
  'mm millimeter millimetre': 0.001,
  'cm centimeter centimetre': 0.01,
  'm meter metre': 1,
  'km kilometer kilometre': 1_000,
  'in inch inche': 0.0254,
  'ft foot feet': 0.3048,
  'yd yard': 0.9144,
  'mi mile': 1_609.344,
});
define('mass', {
  'mg milligram': 1e-6,
  'g gram': 0.001,
  'kg kilogram': 1,
  'lb pound': 0.45359237,
  'oz ounce': 0.028349523125,
});
define('time', {
  'ms millisecond': 0.001,
  's sec second': 1,
  'min minute': 60,
  'h hr hour': 3_600,
  day: 86_400,
  week: 604_800,
});
define('volume', { 'ml milliliter millilitre': 0.001, 'l liter litre': 1 });
define('dollar', { dollar: 1, cent: 0.01 });
define('angle', { degree: ['Divide', 'Pi', 180], 'rad radian': 1 });
define('share', { 'percent percentage pct': 0.01 });

/**
 * Takes the unit off an answer: `\text{ cm}`, `5 kilometres`, `30^\circ`, `20\%`. A unit that is not known is part of the quantity's name, so
 * that `3 apples` equals `3 apples` and `3`.
 * @param latex without layout
 */
export function readMeasure(latex: string): Measure {
  const plain = latex.replaceAll(/\\?%/g, '\\text{percent}').trim();
  // Within a function degrees are part of its argument.
  const isAngle = !/\\(?:arc)?(?:sin|cos|tan|cot|sec|csc)/.test(plain);
  const written = isAngle ? plain.replaceAll(/\^\s*(?:\\circ|\{\s*\\circ\s*\})|°/g, '\\text{degree}') : plain;
  const wrapped = trailingText(written);
  if (wrapped !== undefined) return { latex: wrapped.before, unit: unitOf(wrapped.text) };
  const [, number = '', words] =
    /^(-?[\d./]+|\\frac\{\d+\}\{\d+\})\s*([a-zA-Z][a-zA-Z ]*)$/.exec(written) ?? [];
  // `3 x` is a product, `3 cm` is not, and `3m` may be either.
  const isUnit =
    words !== undefined && (words.length > 1 || (Object.hasOwn(units, words) && /\d\s/.test(written)));
  return isUnit ? { latex: number, unit: unitOf(words) } : { latex: written, unit: undefined };
}

function unitOf(text: string): Unit {
  const name = text.trim().toLowerCase();
  const singular = name.replace(/e?s$/, '');
  const found = [name, name.replace(/s$/, ''), singular].find((candidate) => Object.hasOwn(units, candidate));
  return found === undefined ? { quantity: name.replace(/s$/, ''), factor: 1 } : units[found]!;
}
