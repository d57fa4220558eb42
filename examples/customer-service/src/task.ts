import { type Static, Type } from 'typebox';

const calls = Type.Array(
  Type.Object({ tool: Type.String(), args: Type.Record(Type.String(), Type.String()) }),
);
const texts = Type.Array(Type.String({ minLength: 1 }));

/** One customer and what must come of the conversation. The desk's model sees nothing of it. */
export const TaskSchema = Type.Object({
  /** Instructions of the simulated customer. */
  customer: Type.String({ minLength: 1 }),
  expected: Type.Object({
    /** Look-ups that the desk must make before its answer counts: a guess is no answer. */
    lookups: Type.Array(calls.items, { minItems: 1 }),
    /** Calls of tools that lead to the right database; none where it must stay as it is. */
    actions: calls,
    /** Facts that the customer must hear; `a|b` is satisfied by either. */
    say: Type.Optional(texts),
    /** Texts that must not be said, word for word. */
    neverSay: Type.Optional(texts),
    /** Promise that must not be made, in any words. */
    neverPromise: Type.Optional(Type.String({ minLength: 1 })),
  }),
});
export type Task = Static<typeof TaskSchema>;
