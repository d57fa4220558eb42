import { type Static, Type } from 'typebox';

/** The one test file of every package. It uses node:test, and is a module whatever the package is. */
export const testFile = 'test/index.test.mjs';

/** A call of something that the package exports, and what it gives. `throws` is in the message of the error. */
export const ProbeSchema = Type.Object({
  call: Type.String(),
  args: Type.Array(Type.Unknown()),
  gives: Type.Optional(Type.Unknown()),
  throws: Type.Optional(Type.String()),
});
export type Probe = Static<typeof ProbeSchema>;

/** A package to migrate. Users send it without `probes`, and get the files back. */
export const TaskSchema = Type.Object({
  name: Type.String({ minLength: 1 }),
  /** Files by their path, with node_modules: nothing is installed. */
  files: Type.Record(Type.String(), Type.String()),
  /** Hidden tests. They are nowhere on the disk, so the model cannot find them. */
  probes: Type.Optional(Type.Array(ProbeSchema, { minItems: 1 })),
});
export type Task = Static<typeof TaskSchema>;
