import { InvalidArgumentError, Option } from '@commander-js/extra-typings';
import type { DataOptions } from '@art/eval';
import { filledArgument } from './text-argument.ts';

/** Words of `--tasks`. */
export const tasksWords = 'JSON lines, CSV, TSV, Parquet, a folder of them, or a module';

/** `--columns prompt=question,expected=answer`: what columns of the data are called in a task; repeatable. */
export const columnsOption = () =>
  new Option(
    '--columns <task=data,...>',
    'names of a task by those of the data, such as prompt=question,expected=answer',
  ).argParser(columnsArgument);

/** `--split test`: part of a data set that is a folder. */
export const splitOption = () =>
  new Option('--split <name>', 'part of a data set in a folder, such as test').argParser(filledArgument);

/** How data is read, as the command line has it. */
export function dataOptionsOf({ columns, split }: DataOptions): DataOptions | undefined {
  return columns === undefined && split === undefined ? undefined : { columns, split };
}

function columnsArgument(
  text: string,
  previous: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const columns = { ...previous };
  for (const pair of text.split(',')) {
    const [, name, column] = /^\s*([^=]+?)\s*=\s*(.+?)\s*$/.exec(pair) ?? [];
    if (name === undefined || column === undefined || name === '__proto__')
      throw new InvalidArgumentError(`Expected names such as prompt=question, got ${JSON.stringify(pair)}.`);
    if (Object.hasOwn(columns, name))
      throw new InvalidArgumentError(`Expected one column for ${JSON.stringify(name)}, got two.`);
    columns[name] = column;
  }
  return columns;
}
