import { textArgument } from './text-argument.ts';

/** Id of a run, as `art runs` prints it. */
export const runArgument: (text: string) => string = textArgument(
  /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/,
  'the id of a run: up to 128 letters, digits, ".", "_" and "-" that begin with a letter or digit',
);
