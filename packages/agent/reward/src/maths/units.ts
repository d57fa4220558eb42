import type { Expression } from './expression.ts';

/** The words behind a number: how many of what. */
export interface Unit {
  /** Factors of the number itself, which count with or without a unit: per cent, million, dozen. */
  scale: readonly Expression[];
  /** The measured quantity, as powers of base units: `length^2`. Empty for a bare number. */
  dimension: string;
  /** How many base units one is. */
  factor: readonly Expression[];
}

interface NamedUnit {
  powers: Readonly<Record<string, number>>;
  factor: Expression;
}

const symbols = new Map<string, NamedUnit>();
const names = new Map<string, NamedUnit>();

/** @param rows `symbols | names`, each with how many base units it is */
function define(powers: Readonly<Record<string, number>>, rows: Readonly<Record<string, Expression>>): void {
  for (const [text, factor] of Object.entries(rows)) {
    const [short = '', long = ''] = text.split('|');
    for (const symbol of short.split(' ').filter(Boolean)) symbols.set(symbol, { powers, factor });
    for (const name of long.split(' ').filter(Boolean)) names.set(name, { powers, factor });
  }
}

define(
  { length: 1 },
  {
    'm|meter metre': 1,
    'in|inch inche': 0.0254,
    'ft|foot feet': 0.3048,
    'yd|yard': 0.9144,
    'mi|mile': 1_609.344,
  },
);
define({ length: 2 }, { 'ha|hectare': 10_000, '|acre': 4_046.856_422_4 });
define({ length: 3 }, { 'l L|liter litre': 0.001, '|gallon': 0.003_785_411_784 });
define(
  { mass: 1 },
  { 'g|gram gramme': 0.001, 't|tonne': 1_000, 'lb lbs|pound': 0.453_592_37, 'oz|ounce': 0.028_349_523_125 },
);
define(
  { time: 1 },
  { 's sec secs|second': 1, 'min mins|minute': 60, 'h hr hrs|hour': 3_600, '|day': 86_400, '|week': 604_800 },
);
define({ month: 1 }, { '|month': 1, 'yr yrs|year': 12 });
define({ length: 1, time: -1 }, { 'mph|': 0.447_04, 'kph kmh|': ['Divide', 5, 18] });
define({ current: 1 }, { 'A|ampere amp': 1 });
define({ time: -1 }, { 'Hz|hertz': 1 });
define({ mass: 1, length: 1, time: -2 }, { 'N|newton': 1 });
define({ mass: 1, length: 2, time: -2 }, { 'J|joule': 1, 'cal|calorie': 4.184, 'Wh|': 3_600 });
define({ mass: 1, length: 2, time: -3 }, { 'W|watt': 1 });
define({ mass: 1, length: -1, time: -2 }, { 'Pa|pascal': 1 });
define({ mass: 1, length: 2, time: -3, current: -1 }, { 'V|volt': 1 });
define({ angle: 1 }, { '°|degree': ['Divide', 'Pi', 180], 'rad|radian': 1 });
define({ kelvin: 1 }, { '|kelvin': 1 });
define({ celsius: 1 }, { '°C ℃|celsius': 1 });
define({ fahrenheit: 1 }, { '°F ℉|fahrenheit': 1 });
define({ amount: 1 }, { 'mol|mole': 1 });
define({ byte: 1 }, { 'B|byte': 1, '|bit': 0.125 });
define({ dollar: 1 }, { '＄ $ USD US＄|dollar buck': 1, '¢|cent': 0.01 });
define({ euro: 1 }, { '€ EUR|euro': 1 });
define({ sterling: 1 }, { '£ GBP|': 1, '|pence penny': 0.01 });
define({ yen: 1 }, { '¥ JPY|yen': 1 });
define({ rupee: 1 }, { '₹ INR|rupee': 1 });
for (const counted of (
  'unit person people student child children man men woman women boy girl player worker friend apple orange egg cookie candy candie coin ' +
  'ball marble book page pencil ticket card point vote way item piece solution side edge vertex vertice triangle digit game trip step sticker flower ' +
  'clip bead shirt seat desk crayon toy stamp sandwich cupcake muffin slice packet bucket rose plant house room class team goal song photo letter ' +
  'tree car box boxe bag cup bottle chair table row word question problem animal dog cat fish bird cow chicken'
).split(' '))
  define({ [counted]: 1 }, { [`|${counted}`]: 1 });

const scales = new Map<string, Expression>([
  ['%', { num: '0.01' }],
  ['percent', { num: '0.01' }],
  ['percentage', { num: '0.01' }],
  ['pct', { num: '0.01' }],
  ['‰', { num: '0.001' }],
  ['dozen', 12],
  ['score', 20],
  ['gross', 144],
  ['hundred', 100],
  ['thousand', 1_000],
  ['lakh', 100_000],
  ['million', 1_000_000],
  ['crore', 10_000_000],
  ['billion', 1_000_000_000],
  ['trillion', { num: '1000000000000' }],
]);

const prefixes = {
  n: 'nano',
  u: 'micro',
  µ: 'micro',
  μ: 'micro',
  m: 'milli',
  c: 'centi',
  d: 'deci',
  k: 'kilo',
  M: 'mega',
  G: 'giga',
  T: 'tera',
};
const prefixFactors: Readonly<Record<string, Expression>> = {
  nano: { num: '1e-9' },
  micro: { num: '1e-6' },
  milli: { num: '0.001' },
  centi: { num: '0.01' },
  deci: { num: '0.1' },
  kilo: 1_000,
  mega: 1_000_000,
  giga: 1_000_000_000,
  tera: { num: '1e12' },
};
const prefixed = new Set(
  'm g l L s W Wh J N Pa V A Hz B mol cal meter metre gram gramme liter litre second watt joule newton pascal volt ampere hertz byte mole calorie'.split(
    ' ',
  ),
);

/** True if a text is a unit, a scale or both, and nothing else. */
export function isUnitText(text: string): boolean {
  return readUnit(text) !== undefined;
}

const powersBefore: Readonly<Record<string, number>> = { square: 2, sq: 2, cubic: 3, cu: 3 };
const powersBehind: Readonly<Record<string, number>> = { squared: 2, cubed: 3 };

/** Reads `cm^2`, `square metres`, `km/h`, `m s^{-1}`, `million dollars`, `%`; undefined for a text with any other word in it. */
export function readUnit(text: string): Unit | undefined {
  const tokens = tokensOf(text);
  if (tokens === undefined || tokens.length === 0) return undefined;
  const scale: Expression[] = [];
  const factor: Expression[] = [];
  const powers = new Map<string, number>();
  let [sign, power, last]: [number, number, { unit: NamedUnit; power: number } | undefined] = [
    1,
    1,
    undefined,
  ];
  const add = ({ powers: dimensions, factor: each }: NamedUnit, times: number): void => {
    if (times !== 0) factor.push(times === 1 ? each : ['Power', each, times]);
    for (const [name, exponent] of Object.entries(dimensions))
      powers.set(name, (powers.get(name) ?? 0) + exponent * times);
  };
  for (const token of tokens) {
    const lower = token.toLowerCase();
    const behind = powersBehind[lower] ?? (token.startsWith('^') ? Number(token.slice(1)) : undefined);
    const before = powersBefore[lower];
    if (behind !== undefined) {
      if (last === undefined) return undefined;
      add(last.unit, last.power * (behind - 1));
      last = undefined;
    } else if (before !== undefined) power = before;
    else if (token === '/' || lower === 'per') {
      if (sign === -1 || (token === '/' && last === undefined && powers.size === 0)) return undefined;
      sign = -1;
    } else if (scales.has(lower) && powers.size === 0 && sign === 1) scale.push(scales.get(lower)!);
    else {
      const unit = named(token);
      if (unit === undefined) return undefined;
      last = { unit, power: sign * power };
      add(unit, last.power);
      [sign, power] = [1, 1];
    }
  }
  if (sign === -1 || power !== 1) return undefined;
  const dimension = [...powers]
    .filter(([, exponent]) => exponent !== 0)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  // Hours per day are a share.
  if (dimension.length === 0) return { scale: [...scale, ...factor], factor: [], dimension: '' };
  return { scale, factor, dimension: dimension.map(([name, exponent]) => `${name}^${exponent}`).join(' ') };
}

function tokensOf(text: string): string[] | undefined {
  const plain = text
    .replaceAll(/\\(?:text(?:rm|bf|it|sf|normal)?|math(?:rm|bf|it)|mbox|rm|operatorname)(?![a-zA-Z])/g, ' ')
    .replaceAll(/\\%/g, '%')
    .replaceAll(/\^ ?\{? ?\\circ ?\}?|\\degree(?![a-zA-Z])/g, '°')
    .replaceAll(/\\(?:cdot|times)(?![a-zA-Z])|\\[,;:! ]|[{}*·⋅~]/g, ' ')
    .replaceAll(/\bper cent\b/gi, '%')
    .replaceAll(/\bdegrees?\s(?=(?:celsius|fahrenheit)\b)/gi, '')
    .replaceAll(/[²³]/g, (power) => (power === '²' ? '^2' : '^3'))
    .replaceAll(/\^\s?(?=-?\d)/g, '^');
  const tokens = plain.match(/°\s?[CF](?![a-zA-Z])|[\p{L}µ]+\.?|\^-?\d|[%‰/°＄$€£¥₹¢℃℉]|[^\s]/gu) ?? [];
  const words = tokens.map((token) => token.replace(/(?<=\p{L})\.$/u, '').replace(/\s/, ''));
  return words.every((token) => /^(?:°[CF]?|[\p{L}µ]+|\^-?\d|[%‰/＄$€£¥₹¢℃℉])$/u.test(token))
    ? words
    : undefined;
}

function named(word: string): NamedUnit | undefined {
  // `7 B` may be billions.
  if (word === 'B') return undefined;
  const lower = word.toLowerCase();
  return (
    symbols.get(word) ??
    withPrefix(word, Object.entries(prefixes), symbols) ??
    [lower, lower.replace(/s$/, ''), lower.replace(/es$/, '')]
      .map((name) => names.get(name) ?? withLongPrefix(name))
      .find((unit) => unit !== undefined) ??
    // `Km`, `CM`: two letters or more, which no other symbol is.
    (lower.length > 1
      ? (symbols.get(lower) ?? withPrefix(lower, Object.entries(prefixes), symbols))
      : undefined)
  );
}

function withLongPrefix(name: string): NamedUnit | undefined {
  return withPrefix(
    name,
    Object.keys(prefixFactors).map((prefix) => [prefix, prefix] as const),
    names,
  );
}

function withPrefix(
  word: string,
  known: readonly (readonly [string, string])[],
  units: ReadonlyMap<string, NamedUnit>,
): NamedUnit | undefined {
  for (const [prefix, long] of known) {
    const rest = word.slice(prefix.length);
    const unit = word.startsWith(prefix) && prefixed.has(rest) ? units.get(rest) : undefined;
    if (unit !== undefined)
      return { powers: unit.powers, factor: ['Multiply', prefixFactors[long]!, unit.factor] };
  }
  return undefined;
}
