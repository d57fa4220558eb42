import { minusSigns } from '../minus-signs.ts';

const spellings: Readonly<Record<string, string>> = {
  '×': '\\times ',
  '·': '\\cdot ',
  '⋅': '\\cdot ',
  '÷': '\\div ',
  '∞': '\\infty ',
  '∪': '\\cup ',
  '∈': '\\in ',
  '∅': '\\emptyset ',
  '±': '\\pm ',
  '⟨': '\\langle ',
  '⟩': '\\rangle ',
  '⁄': '/',
  π: '\\pi ',
  α: '\\alpha ',
  β: '\\beta ',
  γ: '\\gamma ',
  θ: '\\theta ',
  λ: '\\lambda ',
  φ: '\\phi ',
  ω: '\\omega ',
};
const commands =
  /(?<![\\a-zA-Z])(?:sin|cos|tan|cot|sec|csc|arcsin|arccos|arctan|sinh|cosh|tanh|log|ln|exp|pi|theta|infinity|inf|oo)(?![a-zA-Z])/g;

/** Writes what plain text has for mathematics as LaTeX: `x**2`, `sqrt(2)`, `2*pi`, `x²`, `½`, `√2`, `≤`. */
export function latexOfText(text: string): string {
  let latex = text
    // Characters that nobody sees, and blanks of any width.
    .replaceAll(/[\p{Cf}\p{Variation_Selector}]|\u034F/gu, '')
    .replaceAll(/[\u00A0\u2000-\u200A\u202F\u205F\u3000]/g, ' ')
    // Letters and marks of full width, of which the dollar is a mark of our own.
    .replaceAll(/[！-｝]/g, (wide) => (wide === '＄' ? wide : wide.normalize('NFKC')))
    .replaceAll(/[¼-¾⅐-⅞]/g, (fraction) => {
      const [over, under] = fraction.normalize('NFKC').split('⁄');
      return `\\frac{${over}}{${under}}`;
    })
    .replaceAll(/[⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺ⁿ]+/g, (found) => `^{${found.normalize('NFKC')}}`)
    .replaceAll(/[₀-₉]+/g, (found) => `_{${found.normalize('NFKC')}}`)
    .replaceAll(minusSigns, '-')
    .replaceAll(/∛\s?(\d+|[a-zA-Z])/g, '\\sqrt[3]{$1}')
    .replaceAll(/√\s?(\d+|[a-zA-Z])/g, '\\sqrt{$1}')
    .replaceAll(/√\s?(?=\()/g, 'sqrt')
    .replaceAll(/[×·⋅÷∞∪∈∅±⟨⟩⁄παβγθλφω]/g, (character) => spellings[character]!)
    // Between digits it is a range.
    .replaceAll(/(?<!\d ?)[–‒]/g, '-')
    .replaceAll(/(?<![\p{L}\\])(?:minus|negative) (?=[\d\\.])/giu, '-')
    .replaceAll(/(?<=\d) ?x ?(?=10\^)/g, '\\times ')
    .replaceAll('**', '^')
    .replaceAll(commands, (name) => (/^(?:in|oo)/.test(name) ? '\\infty ' : `\\${name} `));
  latex = withGroups(latex, /(?:\\|(?<![a-zA-Z]))sqrt\s?\(/g, (inner) => `\\sqrt{${inner}}`);
  latex = withGroups(latex, /(?<![a-zA-Z\\])cbrt\s?\(/g, (inner) => `\\sqrt[3]{${inner}}`);
  latex = withGroups(latex, /(?<![a-zA-Z\\])abs\s?\(/g, (inner) => `|${inner}|`);
  latex = withGroups(latex, /\^\s?\(/g, (inner) => `^{(${inner})}`);
  return latex.replaceAll(/\^\s?(-?\d+(?:\.\d+)?)/g, '^{$1}');
}

/** Replaces what stands between the bracket that each match ends with and the one that closes it, the last match first. */
function withGroups(text: string, opens: RegExp, replace: (inner: string) => string): string {
  let made = text;
  for (const { index, 0: open } of [...text.matchAll(opens)].toReversed()) {
    const from = index + open.length;
    let [depth, end] = [1, from];
    for (; end < made.length && depth > 0; end += 1)
      depth += made[end] === '(' ? 1 : made[end] === ')' ? -1 : 0;
    if (depth === 0) made = made.slice(0, index) + replace(made.slice(from, end - 1)) + made.slice(end);
  }
  return made;
}
