import { readUnit, type Unit } from './units.ts';

/** An expression, and what stands behind it. */
export interface Measure {
  latex: string;
  /** Undefined for a bare number. */
  unit: Unit | undefined;
  /** Words behind a number that are no unit: they are compared, and never dropped. */
  label?: string;
}

const wrapper = /\\(?:text(?:rm|bf|it|sf|normal)?|math(?:rm|bf|it)|mbox|rm|operatorname)\s?(?=\{)/y;
const opening = '{([';
const closing = '})]';

/**
 * Takes the unit off an answer: `\text{ cm}^2`, `5 kilometres`, `30^\circ`, `20\%`, `\$5`.
 * @param latex without layout
 * @param isUnitWanted the other side has one, so that `3m` are metres
 */
export function readMeasure(latex: string, isUnitWanted = false): Measure {
  const [, sign = '', currency = '', amount = latex] =
    /^([-+]?)\s?(US＄|USD|EUR|GBP|JPY|INR|[＄€£¥₹])\s?([-\d.(\\][\s\S]*)$/.exec(latex) ?? [];
  const written = sign + amount;
  const at = startOfTail(written, isUnitWanted);
  const tail = at === undefined ? '' : written.slice(at).trim();
  const before = at === undefined ? written : written.slice(0, at).trim();
  if (tail === '') return { latex: written, unit: currency === '' ? undefined : readUnit(currency) };
  // Of `$5 million` the scale stands first, and `$5m` are no metres.
  const unit = currency !== '' && /^\p{L}$/u.test(tail) ? undefined : readUnit(`${tail} ${currency}`);
  if (unit !== undefined) return { latex: before, unit };
  const isLabel = tail.startsWith('\\') || /\p{L}{3}/u.test(tail) || currency !== '';
  return isLabel
    ? { latex: before, unit: undefined, label: labelOf(`${currency} ${tail}`) }
    : { latex: written, unit: undefined };
}

/** Where words, per cent or degrees begin behind a constant; undefined where nothing of that stands there. */
function startOfTail(latex: string, isUnitWanted: boolean): number | undefined {
  // Within a function degrees are part of its argument.
  const hasFunction = /\\(?:arc)?(?:sin|cos|tan|cot|sec|csc)/.test(latex);
  let depth = 0;
  for (let at = 0; at < latex.length; at += 1) {
    const character = latex[at]!;
    if (opening.includes(character)) depth += 1;
    else if (closing.includes(character)) depth -= 1;
    if (depth !== 0) continue;
    wrapper.lastIndex = at;
    const command = /^\\(?:[a-zA-Z]+|.)/.exec(latex.slice(at, at + 30))?.[0];
    const isDegree = !hasFunction && /^(?:°|\\degree|\^ ?\{? ?\\circ)/.test(latex.slice(at, at + 12));
    if (at > 0 && (wrapper.test(latex) || isDegree || /^\\?[%‰¢€£¥₹＄]/.test(latex.slice(at, at + 2))))
      return at;
    if (command !== undefined) at += command.length - 1;
    else if (/[\p{L}µ]/u.test(character)) return isUnitWord(latex, at, isUnitWanted) ? at : undefined;
    else if (/[=<>≤≥≠,&]/.test(character)) return undefined;
  }
  return undefined;
}

/** `3 x` is a product, `3 cm` is not, and `3m` may be either. */
function isUnitWord(latex: string, at: number, isUnitWanted: boolean): boolean {
  const word = /^[\p{L}µ]+/u.exec(latex.slice(at))![0];
  if (at === 0 || !/[\d)}\s]$/.test(latex.slice(0, at)) || !/\d|\\pi/.test(latex.slice(0, at))) return false;
  const isApart = /\s$/.test(latex.slice(0, at));
  if (/[-+*^/]\s?$/.test(latex.slice(0, at))) return false;
  if (word.length > 1 && isApart) return true;
  return (word.length > 1 || isApart || isUnitWanted) && readUnit(latex.slice(at)) !== undefined;
}

function labelOf(text: string): string {
  const words = text
    .replaceAll(
      /\\(?:text(?:rm|bf|it|sf|normal)?|math(?:rm|bf|it)|mbox|rm|operatorname)(?![a-zA-Z])|[{}]/g,
      ' ',
    )
    .toLowerCase();
  return words.split(/\s+/).filter(Boolean).join(' ').replace(/s$/, '');
}
