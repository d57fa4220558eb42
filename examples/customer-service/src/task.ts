import { type Static, Type } from 'typebox';

const calls = Type.Array(
  Type.Object({ tool: Type.String(), args: Type.Record(Type.String(), Type.String()) }),
);
const texts = Type.Array(Type.String({ minLength: 1 }));

/** One customer and what must come of the conversation. The desk's model sees nothing of it. */
export const TaskSchema = Type.Object({
  /** What the simulated customer is told. */
  customer: Type.String({ minLength: 1 }),
  expected: Type.Object({
    /** What the desk must look up before what it says counts: a guess is no answer. */
    lookups: Type.Array(calls.items, { minItems: 1 }),
    /** Calls of tools that lead to the right database; none where it must stay as it is. */
    actions: calls,
    /** What the customer must be told; `a|b` is satisfied by either. */
    say: Type.Optional(texts),
    /** What must not be told, word for word. */
    neverSay: Type.Optional(texts),
    /** What must not be promised, in whatever words. */
    neverPromise: Type.Optional(Type.String({ minLength: 1 })),
  }),
});
export type Task = Static<typeof TaskSchema>;
