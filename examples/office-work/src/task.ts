import { type Static, Type } from 'typebox';

const Value = Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]);

/** Expected content of the files. Everything that is not named must be as it was. */
export const ExpectedSchema = Type.Object({
  /** By file, then by `Sheet!A1`: a value, a formula that begins with `=`, null for an empty cell, or a list of which any will do. */
  cells: Type.Optional(
    Type.Record(Type.String(), Type.Record(Type.String(), Type.Union([Value, Type.Array(Value)]))),
  ),
  /** By file: all paragraphs in order. */
  paragraphs: Type.Optional(Type.Record(Type.String(), Type.Array(Type.String()))),
});
export type Expected = Static<typeof ExpectedSchema>;
export type CellValue = Static<typeof Value>;

/** A request and the files. Users send it without `expected`, and get the files back. */
export const TaskSchema = Type.Object({
  request: Type.String({ minLength: 1 }),
  /** Base64 by name. */
  files: Type.Record(Type.String(), Type.String()),
  expected: Type.Optional(ExpectedSchema),
});
export type Task = Static<typeof TaskSchema>;
