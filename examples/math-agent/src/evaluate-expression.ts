/** The fault of an expression, worded for the model that wrote it. */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError';
}

const maxExpressionCharacters = 1_000;
// Each level of parentheses takes a few stack frames.
const maxDepth = 100;

/**
 * Computes an arithmetic expression: `+ - * / ^`, parentheses, decimals, `1,000` and `$5`, and the signs `×`, `÷`, `−`
 * that models like to write. Nothing else: no names, no functions, hence nothing to execute.
 * @throws ExpressionError
 */
export function evaluateExpression(expression: string): number {
  if (expression.length > maxExpressionCharacters) {
    throw new ExpressionError(
      `Expected at most ${maxExpressionCharacters} characters, got ${expression.length}.`,
    );
  }
  const tokens = tokenize(expression);
  const parser = new Parser(tokens);
  const value = parser.sum(0);
  const rest = parser.peek();
  if (rest !== undefined) throw new ExpressionError(`Expected the expression to end before "${rest}".`);
  if (!Number.isFinite(value)) throw new ExpressionError('The result is not a finite number.');
  // Drops the noise of binary fractions: 0.1 + 0.2 is 0.3 to anyone who asks.
  return Number(value.toPrecision(15));
}

function tokenize(expression: string): string[] {
  const plain = expression
    .replaceAll('×', '*')
    .replaceAll('÷', '/')
    .replaceAll('−', '-')
    .replaceAll('**', '^')
    .replaceAll('$', '');
  const tokens: string[] = [];
  // Sticky, so that nothing between two tokens is skipped unseen.
  const token = /\s*(?:((?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?|\.\d+)|([-+*/^()]))/y;
  while (plain.slice(token.lastIndex).trim() !== '') {
    const start = token.lastIndex;
    const match = token.exec(plain);
    if (match === null) {
      throw new ExpressionError(
        `Cannot read "${plain.slice(start).trim().slice(0, 20)}". Use numbers, + - * / ^ and parentheses only.`,
      );
    }
    tokens.push((match[1] ?? match[2] ?? '').replaceAll(',', ''));
  }
  if (tokens.length === 0) throw new ExpressionError('The expression is empty.');
  return tokens;
}

/** One method a precedence level, lowest first. */
class Parser {
  readonly #tokens: readonly string[];
  #position = 0;

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens;
  }

  peek(): string | undefined {
    return this.#tokens[this.#position];
  }

  sum(depth: number): number {
    let value = this.#product(depth);
    for (;;) {
      if (this.#take('+')) value += this.#product(depth);
      else if (this.#take('-')) value -= this.#product(depth);
      else return value;
    }
  }

  #product(depth: number): number {
    let value = this.#signed(depth);
    for (;;) {
      if (this.#take('*')) value *= this.#signed(depth);
      else if (this.#take('/')) {
        const divisor = this.#signed(depth);
        if (divisor === 0) throw new ExpressionError('Division by zero.');
        value /= divisor;
      } else return value;
    }
  }

  #signed(depth: number): number {
    if (depth > maxDepth) throw new ExpressionError(`Expected at most ${maxDepth} levels of nesting.`);
    if (this.#take('-')) return -this.#signed(depth + 1);
    if (this.#take('+')) return this.#signed(depth + 1);
    return this.#power(depth);
  }

  #power(depth: number): number {
    const base = this.#atom(depth);
    // To the right of ^ a sign may stand, and further powers bind first: 2^3^2 is 2^9.
    return this.#take('^') ? base ** this.#signed(depth + 1) : base;
  }

  #atom(depth: number): number {
    if (this.#take('(')) {
      const value = this.sum(depth + 1);
      if (!this.#take(')')) throw new ExpressionError('Expected a closing parenthesis.');
      return value;
    }
    const token = this.peek();
    if (token === undefined) throw new ExpressionError('Expected a number, got the end of the expression.');
    const value = Number(token);
    if (Number.isNaN(value)) throw new ExpressionError(`Expected a number, got "${token}".`);
    this.#position += 1;
    return value;
  }

  #take(token: string): boolean {
    if (this.peek() !== token) return false;
    this.#position += 1;
    return true;
  }
}
