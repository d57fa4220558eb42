import { parseExpression, unknownsIn } from './expression.ts';
import { type Measure, readMeasure } from './measure.ts';
import { textIn } from './plain-latex.ts';

/** The form of an answer, as far as its brackets, commas and relation signs show it. */
export type Answer =
  | { kind: 'words'; text: string }
  | { kind: 'measure'; measure: Measure }
  /** Intervals too: `(0, 1)` may be either. */
  | { kind: 'tuple'; brackets: string; items: readonly Answer[] }
  /** `1, 2`, `1 and 2`: in this order. */
  | { kind: 'list'; items: readonly Answer[] }
  /** `\{1, 2\}`, `1 or 2`: in any order. */
  | { kind: 'set'; items: readonly Answer[] }
  /** `\pm 1`: both at once. */
  | { kind: 'signs'; items: readonly Answer[] }
  | { kind: 'union'; items: readonly Answer[] }
  | Equation
  | { kind: 'inequality'; links: readonly Link[]; range: Answer | undefined };

/** `x = 5` has a name and a value, `x + y = 5` has sides alone. */
export interface Equation {
  kind: 'equation';
  name: string | undefined;
  value: Answer | undefined;
  sides: Sides | undefined;
}

export interface Sides {
  left: string;
  right: string;
}

/** `left > right`, `left ≥ right` or `left ≠ right`. */
export interface Link extends Sides {
  sign: '>' | '≥' | '≠';
}

/** @param latex without layout, as `plainLatex` gives it */
export function readAnswer(latex: string): Answer {
  const text = textIn(latex);
  if (text !== undefined && text !== '') return readAnswer(text);
  const items = itemsOf(latex);
  if (items.length > 1)
    return { kind: hasAlternatives(latex) ? 'set' : 'list', items: items.map(readAnswer) };
  const [item = latex] = items;
  // A date is no difference or quotient.
  if (date.test(item)) return { kind: 'words', text: item.replaceAll(/\b0/g, '') };
  // Of digits with blanks between them nobody knows which number they are.
  if (isWords(item) || /(?<![_^\d])\d+ \d/.test(item))
    return { kind: 'words', text: item.toLowerCase().replaceAll(/\s+/g, ' ') };
  const member = /\\in(?![a-zA-Z])/.exec(item);
  if (member !== null && !/[=<>≤≥≠]/.test(item.slice(0, member.index)))
    return readAnswer(item.slice(member.index + member[0].length).trim());
  return (
    readRelation(item) ??
    readUnion(item) ??
    readBrackets(item) ??
    readBothSigns(item) ?? {
      kind: 'measure',
      measure: readMeasure(item),
    }
  );
}

const date = /^(?:\d{4}([-/])\d\d?\1\d\d?|\d\d?\/\d\d?\/\d{4})$/;

/** Words are no product of their letters: `dog` is not `god`. */
function isWords(text: string): boolean {
  return /^\p{L}[\p{L}\s.'’:!?()-]*$/u.test(text) && /\p{L}{3}|^no$/iu.test(text);
}

const conjunction =
  /\\(?:text|textrm|mathrm|mbox)\s*\{[\s,]*(?:and|or)\s*\}|(?<![\p{L}\\])(?:and|or)(?!\p{L})/gu;

const alternative = /(?<![\p{L}\\])or(?!\p{L})/u;

function hasAlternatives(latex: string): boolean {
  return !isWords(latex) && alternative.test(latex);
}

function itemsOf(latex: string): string[] {
  const listed = isWords(latex) ? latex : latex.replaceAll(conjunction, ',');
  return splitOutside(listed, /^[,;]/).parts.filter((part) => part !== '');
}

function readRelation(latex: string): Answer | undefined {
  const { parts, separators } = splitOutside(latex, /^[=≈<>≤≥≠]/);
  if (separators.length === 0 || parts.includes('')) return undefined;
  if (separators.every((sign) => sign === '=' || sign === '≈')) return readEquation(parts, separators);
  return separators.some((sign) => sign === '=' || sign === '≈')
    ? undefined
    : readInequality(parts, separators);
}

function readEquation(parts: readonly string[], separators: readonly string[]): Equation {
  // Of `x = 1/3 ≈ 0.33` the exact value counts.
  const rounded = separators.indexOf('≈');
  const exact = rounded > 0 ? parts.slice(0, rounded + 1) : parts;
  const [left = '', right = ''] = [exact[0], exact.at(-1)];
  const sides = exact.length === 2 ? { left, right } : undefined;
  if (isName(left)) return { kind: 'equation', name: plainName(left), value: readAnswer(right), sides };
  if (isName(right)) return { kind: 'equation', name: plainName(right), value: readAnswer(left), sides };
  return { kind: 'equation', name: undefined, value: sides ? undefined : readAnswer(right), sides };
}

/** `x`, `a_{1}`, `f(x)`, `|AB|`, `(p, q)`, `\frac{NO}{BO}`, `S_1:S_2`: what a value is said of. */
function isName(latex: string): boolean {
  if (/\\(?:sqrt|sin|cos|tan|cot|sec|csc|log|ln|exp|sum|int|prod|lim)/.test(latex)) return false;
  if (/^\|[a-z]\|$/.test(latex)) return false;
  const [, tuple] = /^\(([^()]*)\)$/.exec(latex) ?? [];
  if (tuple !== undefined) return /^[\p{L}\\\s,;_{}\d]*$/u.test(tuple) && /^\s*[\p{L}\\]/u.test(tuple);
  const outside = latex.replaceAll(/\([^()]*\)/g, '');
  return (
    /^[\p{L}\\|][^+\-*/^!]*$/u.test(outside) && !/\\(?:cdot|times|pm|infty|pi)(?![a-zA-Z])/.test(outside)
  );
}

const plainName = (latex: string): string => latex.replaceAll(/[\s{}]/g, '');

function readInequality(parts: readonly string[], separators: readonly string[]): Answer {
  const links = separators.map((separator, at): Link => {
    const [left, right] = [parts[at]!, parts[at + 1]!];
    if (separator === '≠') return { left, right, sign: '≠' };
    const sign = separator === '≤' || separator === '≥' ? '≥' : '>';
    return separator === '<' || separator === '≤'
      ? { left: right, right: left, sign }
      : { left, right, sign };
  });
  return { kind: 'inequality', links, range: rangeOf(links) };
}

/** `x ≥ 5` is `[5, \infty)`. */
function rangeOf(links: readonly Link[]): Answer | undefined {
  let [open, low, high, close] = ['(', '-\\infty', '\\infty', ')'];
  const names = new Set<string>();
  for (const { left, sign, right } of links) {
    if (sign === '≠') return undefined;
    if (isName(left) && isConstant(right)) {
      names.add(left);
      [open, low] = [sign === '≥' ? '[' : '(', right];
    } else if (isName(right) && isConstant(left)) {
      names.add(right);
      [close, high] = [sign === '≥' ? ']' : ')', left];
    } else return undefined;
  }
  if (names.size !== 1) return undefined;
  return { kind: 'tuple', brackets: open + close, items: [readAnswer(low), readAnswer(high)] };
}

function isConstant(latex: string): boolean {
  const expression = parseExpression(latex);
  return expression !== undefined && unknownsIn(expression).length === 0;
}

function readUnion(latex: string): Answer | undefined {
  const { parts } = splitOutside(latex, /^\\cup(?![a-zA-Z])/);
  return parts.length > 1 ? { kind: 'union', items: parts.map(readAnswer) } : undefined;
}

const closings: Record<string, string> = {
  '\\{': '\\}',
  '{': '}',
  '(': ')',
  '[': ']',
  '\\langle': '\\rangle',
};

function readBrackets(latex: string): Answer | undefined {
  const open = Object.keys(closings).find((bracket) => latex.startsWith(bracket));
  if (open === undefined) return undefined;
  const isSet = open.endsWith('{');
  const ends = isSet || open === '\\langle' ? [closings[open]!] : [')', ']'];
  const close = ends.find((bracket) => latex.endsWith(bracket));
  if (close === undefined) return undefined;
  const inner = latex.slice(open.length, -close.length).trim();
  if (!isBalanced(inner)) return undefined;
  const items = itemsOf(inner);
  if (isSet && items.length === 0) return { kind: 'set', items: [] };
  // One element is what it is, and `(x + 1)` is no tuple.
  if (items.length < 2) return isSet ? readAnswer(inner) : undefined;
  const read = items.map(readAnswer);
  return isSet ? { kind: 'set', items: read } : { kind: 'tuple', brackets: open + close, items: read };
}

function readBothSigns(latex: string): Answer | undefined {
  if (!/\\[mp]{2}(?![a-zA-Z])/.test(latex)) return undefined;
  const signs = [
    { pm: '+', mp: '-' },
    { pm: '-', mp: '+' },
  ];
  return {
    kind: 'signs',
    items: signs.map(({ pm, mp }) =>
      readAnswer(
        latex
          .replaceAll(/\\pm(?![a-zA-Z])/g, pm)
          .replaceAll(/\\mp(?![a-zA-Z])/g, mp)
          .replace(/^\s*\+/, ''),
      ),
    ),
  };
}

const opening = /^(?:\\\{|\\langle(?![a-zA-Z])|[([{])/;
const closing = /^(?:\\\}|\\rangle(?![a-zA-Z])|[)\]}])/;

/** Splits at what matches outside of all brackets. */
function splitOutside(latex: string, separator: RegExp): { parts: string[]; separators: string[] } {
  const [parts, separators]: [string[], string[]] = [[], []];
  let [depth, from, at] = [0, 0, 0];
  while (at < latex.length) {
    const rest = latex.slice(at);
    const bracket = (opening.exec(rest) ?? closing.exec(rest))?.[0];
    const found = depth === 0 ? separator.exec(rest)?.[0] : undefined;
    if (bracket !== undefined) depth += opening.test(rest) ? 1 : -1;
    if (found !== undefined) {
      parts.push(latex.slice(from, at).trim());
      separators.push(found);
      from = at + found.length;
    }
    // A command is passed as a whole.
    at += (found ?? bracket ?? /^\\(?:[a-zA-Z]+|.)/.exec(rest)?.[0] ?? ' ').length;
  }
  return { parts: [...parts, latex.slice(from).trim()], separators };
}

/** `1) \cup (2` stands between brackets that do not belong together. */
function isBalanced(latex: string): boolean {
  let depth = 0;
  for (let at = 0; at < latex.length && depth >= 0; at += 1) {
    const rest = latex.slice(at);
    if (opening.test(rest)) depth += 1;
    else if (closing.test(rest)) depth -= 1;
    if (rest.startsWith('\\')) at += 1;
  }
  return depth === 0;
}
