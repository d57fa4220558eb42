/** An answer as a model writes it, and what its engine's own parser makes of it. */
export interface EngineVector {
  parser: string;
  /** Particularity of the case. */
  case: string;
  text: string;
  /** Name and arguments of each call; ids only where the format has them. */
  calls: readonly (readonly [name: string, args: unknown, id?: string])[];
  content: string | null;
  reasoningParser?: string;
  reasoning?: string;
}

/** The tools that the answers were given. */
export const vectorTools = JSON.stringify(
  [
    {
      name: 'book',
      parameters: {
        type: 'object',
        properties: {
          port: { type: 'string' },
          nights: { type: 'integer' },
          price: { type: 'number' },
          sea: { type: 'boolean' },
          guests: { type: 'array' },
          room: { type: 'object' },
          note: { anyOf: [{ type: 'string' }, { type: 'null' }] },
          deck: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
        },
      },
    },
    { name: 'tide', parameters: { type: 'object', properties: { harbour: { type: 'string' } } } },
  ].map((definition) => ({ type: 'function', function: definition })),
);
