import type { EngineAnswer } from './engine/engine-answer.ts';
import type { EngineRequest } from './engine/engine-request.ts';

/** Question of the user. */
export const question = 'What is (17 + 25) * (30 + 8)? Naïve answers count too 🙂';

/** Last answer of the agent; its last characters take four bytes each. */
export const finalText = 'The product is 1596 🧮🎉.';

/** The calls that the agent has to make, in the order in which the model asked for them. */
export const expectedCalls = ['add(17,25)', 'add(30,8)', 'multiply(42,38)'];

/** A model that solves the sum with tools: two calls at once, then one, then the answer. */
export function solveSums(request: EngineRequest): EngineAnswer {
  const results = (request.messages ?? []).filter((message) => message.role === 'tool');
  switch (results.length) {
    case 0:
      return {
        reasoning: 'Two sums first, then their product.',
        toolCalls: [
          { name: 'add', arguments: '{"a": 17, "b": 25}' },
          { name: 'add', arguments: '{"a": 30, "b": 8}' },
        ],
      };
    case 2:
      return {
        reasoning: 'Both sums are there.',
        content: 'Now the product.',
        toolCalls: [{ name: 'multiply', arguments: '{"a":42,"b":38}' }],
      };
    default:
      return { content: finalText };
  }
}

/** The same with one call at a time. */
export function solveSumsOneByOne(request: EngineRequest): EngineAnswer {
  const results = (request.messages ?? []).filter((message) => message.role === 'tool');
  const calls = [
    { name: 'add', arguments: '{"a": 17, "b": 25}' },
    { name: 'add', arguments: '{"a": 30, "b": 8}' },
    { name: 'multiply', arguments: '{"a":42,"b":38}' },
  ];
  const next = calls[results.length];
  return next === undefined ? { content: finalText } : { toolCalls: [next] };
}

/** The tools, and a list of how they were called. */
export class SumTools {
  readonly calls: string[] = [];

  add(a: number, b: number): string {
    this.calls.push(`add(${a},${b})`);
    return String(a + b);
  }

  multiply(a: number, b: number): string {
    this.calls.push(`multiply(${a},${b})`);
    return String(a * b);
  }

  /** By name, with arguments as JSON text or as an object. */
  call(name: string, input: unknown): string {
    const { a, b } = (typeof input === 'string' ? JSON.parse(input) : input) as { a: number; b: number };
    return name === 'add' ? this.add(a, b) : this.multiply(a, b);
  }
}

/** The schema of both tools' arguments. */
export const sumParameters = {
  type: 'object' as const,
  properties: { a: { type: 'number' as const }, b: { type: 'number' as const } },
  required: ['a', 'b'],
};

export const sumToolNames = ['add', 'multiply'] as const;
