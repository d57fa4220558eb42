import { ComputeEngine } from '@cortex-js/compute-engine';

/** MathJSON (https://mathlive.io/math-json/), as it was written: nothing is computed. Texts are in `'...'`. */
export type Expression = number | string | { num: string } | readonly [string, ...Expression[]];

/** Longer ones, and those with other commands, open brackets or more bars, are compared as texts only: the parser takes exponential time for some of them. */
const longest = 300;
const mostBars = 10;
const deepest = 30;
const commands = new Set(
  (
    'frac sqrt pi infty cdot times div sin cos tan cot sec csc arcsin arccos arctan sinh cosh tanh log ln exp binom lfloor rfloor lceil rceil ' +
    'alpha beta gamma delta epsilon varepsilon zeta eta theta kappa lambda mu nu xi rho sigma tau phi varphi chi psi omega Delta Omega Sigma Phi ' +
    'imaginaryI exponentialE mathrm mathbb mathbf text operatorname begin end overline emptyset varnothing circ degree cup cap setminus max min'
  ).split(' '),
);

let engine: ComputeEngine | undefined;

/** Undefined where it cannot be read as mathematics. */
export function parseExpression(latex: string): Expression | undefined {
  if (latex.trim() === '' || !isParsedSoon(latex)) return undefined;
  if (engine === undefined) {
    engine = new ComputeEngine();
    // All digits that were written stay.
    engine.precision = longest;
  }
  const parsed = engine.parse(latex, { form: 'raw' });
  return parsed.isValid ? (parsed.json as Expression) : undefined;
}

function isParsedSoon(latex: string): boolean {
  const named = latex.match(/\\[a-zA-Z]+/g) ?? [];
  return (
    latex.length <= longest &&
    named.every((command) => commands.has(command.slice(1))) &&
    latex.split('|').length <= mostBars + 1 &&
    !latex.includes('\\|') &&
    areBracketsClosed(latex)
  );
}

const closings: Record<string, string> = { '{': '}', '\\{': '\\}', '(': ')]', '[': '])' };

function areBracketsClosed(latex: string): boolean {
  const open: string[] = [];
  for (const [bracket] of latex.matchAll(/\\?[{}]|[()[\]]/g)) {
    if (Object.hasOwn(closings, bracket)) open.push(closings[bracket]!);
    else if (open.pop()?.includes(bracket) !== true) return false;
    if (open.length > deepest) return false;
  }
  return open.length === 0;
}

export function headOf(expression: Expression): string | undefined {
  return isApplication(expression) ? expression[0] : undefined;
}

export function argumentsOf(expression: Expression): readonly Expression[] {
  return isApplication(expression) ? expression.slice(1) : [];
}

function isApplication(expression: Expression): expression is readonly [string, ...Expression[]] {
  return Array.isArray(expression);
}

const constants = new Set(['Pi', 'ExponentialE', 'e', 'ImaginaryUnit', 'i']);
const noValues = /^'|Infinity$|Numbers$|^(?:EmptySet|NaN|Nothing|Undefined)$/;

/** The names whose values are not known: `x`, `a_1`, `theta`. */
export function unknownsIn(expression: Expression): string[] {
  if (typeof expression === 'string')
    return constants.has(expression) || noValues.test(expression) ? [] : [expression];
  return argumentsOf(expression).flatMap(unknownsIn);
}
