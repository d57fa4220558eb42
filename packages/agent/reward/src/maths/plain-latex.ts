import { latexOfText } from './latex-of-text.ts';

const textual = /^\\(?:text(?:rm|bf|it|sf|normal)?|math(?:rm|bf)|mbox|rm)\s?\{([^{}]*)\}$/;

/**
 * An answer without its layout, and with one spelling for what has several: `\dfrac12`, `\left(`, `1{,}000`, `\leq`, `$...$`, `x**2`, `sqrt(2)`.
 * Blanks between digits stay, save between groups of three: `2 3` is not 23.
 */
export function plainLatex(answer: string): string {
  const plain = withCurrency(latexOfText(answer).replace(/^\s?~(?=\s?[\d-])/, '\\sim '))
    .replaceAll(/,\s?\\!\s?(?=\d{3})/g, '{,}')
    .replaceAll(/\\(?:left|right|displaystyle|quad|qquad|[Bb]ig+[lr]?)(?![a-zA-Z])|(?<!\\)\\[,;!: ]|~/g, ' ')
    .replaceAll(/\\(?:begin|end)\{array\}(?:\{[lcr| ]*\})?/g, (part) =>
      part.startsWith('\\begin') ? '\\begin{pmatrix}' : '\\end{pmatrix}',
    )
    .replaceAll(/[[(]\s?(?=\\begin\{pmatrix\})|(?<=\\end\{pmatrix\}\s?)[\])]/g, '')
    .replaceAll(/\\[dtc]frac(?![a-zA-Z])/g, '\\frac')
    .replaceAll(/\\frac\s?(\d)\s?(?=[\d{])/g, '\\frac{$1}')
    .replaceAll(/\\frac\{([^{}]*)\}\s?(\d)/g, '\\frac{$1}{$2}')
    .replaceAll(/\\sqrt\s?(\d)/g, '\\sqrt{$1}')
    .replaceAll(/\\(?:leqslant|leq|le)(?![a-zA-Z])|<=/g, '≤')
    .replaceAll(/\\(?:geqslant|geq|ge)(?![a-zA-Z])|>=/g, '≥')
    .replaceAll(/\\(?:neq|ne)(?![a-zA-Z])|\\not\s?=|!=/g, '≠')
    .replaceAll(/\\lt(?![a-zA-Z])/g, '<')
    .replaceAll(/\\gt(?![a-zA-Z])/g, '>')
    .replaceAll(/\\approx(?![a-zA-Z])/g, '≈')
    .replaceAll(/(?<=\d)\{\s?\}(?=\d)/g, ' ')
    .split(/\s+/)
    .join(' ')
    .replace(/^ ?\\[([]/, ' ')
    .replace(/\\[)\]] ?$/, ' ')
    .trim()
    .replace(/(?<!\.)\.$/, '')
    .replace(/^≈/, '')
    .replaceAll(/(\d)\{,\}(?=\d{3}(?!\d))/g, '$1');
  return withoutGroups(plain.trim());
}

/** A lone `$` before a number is a currency; a pair is layout. */
function withCurrency(text: string): string {
  const marked = text.replaceAll('\\$', '＄');
  const lone = marked.split('$').length % 2 === 0 ? marked.replace(/\$(?=\s?-?\d)/, '＄') : marked;
  return lone.replaceAll('$', ' ');
}

/** Thousands, `1,000` and `1 000`, and mixed numbers, `1 1/4` and `2\frac{1}{2}`. */
function withoutGroups(plain: string): string {
  // In brackets a comma separates, whatever stands behind it.
  const isBracketed = /^(?:\\\{|[([{])/.test(plain);
  const joined = isBracketed
    ? plain
    : plain.replaceAll(/(?<![\d.,])\d{1,3}(?:,\d{3})+(?!,?\d)/g, (digits) => digits.replaceAll(',', ''));
  return joined
    .replaceAll(/(?<![\d.,]|[\d.,] )\d{1,3}(?: \d{3})+(?!\d| \d| ?\/)/g, (digits) =>
      digits.replaceAll(' ', ''),
    )
    .replaceAll(/(?<![\d.}\p{L}^_/)]|\d )(\d+) (\d+) ?\/ ?(\d+)(?![\d.]| \d)/gu, '($1+\\frac{$2}{$3})')
    .replaceAll(/(?<![\d.}\p{L}^_/)]|\d )(\d+) ?\\frac\{(\d+)\}\{(\d+)\}(?! ?\^)/gu, '($1+\\frac{$2}{$3})');
}

/** The text of an answer that is a single `\text{...}`; undefined for any other. */
export function textIn(latex: string): string | undefined {
  return textual.exec(latex)?.[1]?.trim();
}
