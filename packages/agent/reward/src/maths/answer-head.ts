import { withoutEnd } from '../without-end.ts';

/** Words before an answer that deny it or make a bound of it. */
const deniesNext =
  /\b(?:not|never|than|least|most|under|over|below|above|doubt|except|reject|discard|exclude|about|around|roughly|nearly|almost|between|from)$|(?:\b(?:not|never|wrong|incorrect|mistake)|n['’]t)(?: [a-z]+){1,2}$|n['’]t$|\bcannot(?: [a-z]+)?$/i;
const leadsTo = /\\(?:therefore|implies|Rightarrow|rightarrow|Longrightarrow|quad|qquad|approx|colon)$/;

/**
 * The part of an answer that stands before it on its line: a sign or a currency. Undefined where the answer is a part of an expression, is denied or
 * is a bound.
 */
export function signBefore(line: string): string | undefined {
  // An argument, an exponent: no whole answer.
  if (/(?:[\^_}\]]|\\[a-zA-Z]+)\s?\{\s?$/.test(line)) return undefined;
  const plain = withoutEnd(
    line.replace(/\\text\s?\{([^{}]*)\}\s?$/, '$1').replace(/\\[([]\s?$/, '$'),
    ' \t{(*_"`',
  );
  const before = withoutEnd(plain, '$ \t*_"`');
  const isApart = plain.endsWith('$') || /[*_"`]$/.test(before);
  if (before.endsWith('\\')) return plain.endsWith('$') ? String.raw`\$` : '';
  const last = before.at(-1) ?? '';
  if (last === '-') return minusBefore(before.slice(0, -1), line);
  if (/\\[a-zA-Z]+$/.test(before)) return leadsTo.test(before) ? '' : undefined;
  if (/(?<!\p{L})\p{L}$/u.test(before)) return isApart || /(?<!\p{L})[aI]$/u.test(before) ? '' : undefined;
  if (/[\d)\]}]/.test(last)) return isApart ? '' : undefined;
  if (/[-=]>$/.test(before)) return '';
  if (/[+/^<>≤≥≠~¬×·÷√±]/.test(last) || deniesNext.test(before)) return undefined;
  return /[€£¥₹]/.test(last) ? last : '';
}

/** Behind a number it subtracts, behind words it is a dash, and a mark of a list at the beginning of a line. */
function minusBefore(before: string, line: string): string | undefined {
  if (/(?:[\d)}\]]|(?<!\p{L})\p{L})\s?$/u.test(before)) return undefined;
  return /-\$?$/.test(line) && /(?:^|[=\s$:,(])$/.test(before) ? '-' : '';
}
