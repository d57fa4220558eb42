import type { ChatCompletionFunctionTool } from 'openai/resources/chat/completions';
import { evaluateExpression, ExpressionError } from './evaluate-expression.ts';

/** The calculator as the model sees it. */
export const calculatorTool: ChatCompletionFunctionTool = {
  type: 'function',
  function: {
    name: 'calculator',
    description: 'Computes one arithmetic expression and returns the number.',
    parameters: {
      type: 'object',
      properties: {
        expression: {
          type: 'string',
          description: 'For example "(16 - 3 - 4) * 2". Numbers, + - * / ^ ( ) only.',
        },
      },
      required: ['expression'],
      additionalProperties: false,
    },
  },
};

/**
 * Runs one call of the tool. A model's bad call is answered in words, so that it can try again: it is part of the
 * episode and not a failure of the agent.
 * @param args The call's arguments as the model wrote them: JSON, hopefully.
 */
export function runCalculator(args: string): string {
  try {
    const parsed: unknown = JSON.parse(args);
    const expression = (parsed as { expression?: unknown } | null)?.expression;
    if (typeof expression !== 'string') return 'Error: expected {"expression": "..."}.';
    return String(evaluateExpression(expression));
  } catch (error) {
    if (error instanceof ExpressionError) return `Error: ${error.message}`;
    if (error instanceof SyntaxError) return 'Error: the arguments are not JSON.';
    throw error;
  }
}
