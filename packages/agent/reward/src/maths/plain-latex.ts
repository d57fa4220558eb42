const wrapper = String.raw`\\(?:text(?:rm|bf|it|sf|normal)?|math(?:rm|bf)|mbox|rm)\s*`;
const textual = new RegExp(`^${wrapper}\\{([^{}]*)\\}$`);

/** An answer without its layout, and with one spelling for what has several: `\dfrac12`, `\left(`, `1{,}000`, `\leq`, `$...$`. */
export function plainLatex(answer: string): string {
  const plain = answer
    .replaceAll(/,\s*\\!\s*(?=\d{3})/g, '{,}')
    .replaceAll(/\\(?:left|right|displaystyle|quad|qquad|[Bb]ig+[lr]?)(?![a-zA-Z])|\\[,;!: ]|~/g, ' ')
    .replaceAll(
      /[[(]\s*\\begin\{array\}\{[^{}]*\}([\s\S]*?)\\end\{array\}\s*[\])]/g,
      '\\begin{pmatrix}$1\\end{pmatrix}',
    )
    .replaceAll(/\\[dtc]frac(?![a-zA-Z])/g, '\\frac')
    .replaceAll(/\\frac\s*(\d)\s*(\d)/g, '\\frac{$1}{$2}')
    .replaceAll(/\\sqrt\s*(\d)/g, '\\sqrt{$1}')
    .replaceAll(/\\?\$/g, ' ')
    .replaceAll(/^\s*\\[([]|\\[)\]]\s*$/g, ' ')
    .replaceAll(/\\(?:leqslant|leq|le)(?![a-zA-Z])|<=/g, '≤')
    .replaceAll(/\\(?:geqslant|geq|ge)(?![a-zA-Z])|>=/g, '≥')
    .replaceAll(/\\(?:neq|ne)(?![a-zA-Z])|\\not\s*=|!=/g, '≠')
    .replaceAll(/\\lt(?![a-zA-Z])/g, '<')
    .replaceAll(/\\gt(?![a-zA-Z])/g, '>')
    .replaceAll(/\\approx(?![a-zA-Z])/g, '≈')
    .replaceAll('−', '-')
    .trim()
    .replace(/\.$/, '')
    .replaceAll(/(\d)\{,\}(?=\d{3}(?!\d))/g, '$1');
  // In brackets a comma separates, whatever stands behind it.
  const isBracketed = /^(?:\\\{|[([{])/.test(plain);
  return (
    isBracketed ? plain : plain.replaceAll(/(?<![\d.,])\d{1,3}(?:,\d{3})+(?![\d,])/g, withoutCommas)
  ).trim();
}

const withoutCommas = (digits: string): string => digits.replaceAll(',', '');

/** The text of an answer that is a single `\text{...}`; undefined for any other. */
export function textIn(latex: string): string | undefined {
  return textual.exec(latex)?.[1]?.trim();
}

/** A number or expression, and the text behind it: `5\text{ cm}`. */
export function trailingText(latex: string): { before: string; text: string } | undefined {
  const [, before = '', text] =
    new RegExp(`^([\\s\\S]*?)\\s*${wrapper}\\{\\s*([^{}]*?)\\s*\\}\\s*(?:\\^\\s*\\{?\\d\\}?)?$`).exec(
      latex,
    ) ?? [];
  return text === undefined || before.trim() === '' ? undefined : { before: before.trim(), text };
}
