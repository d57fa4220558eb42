import type { Readme, ReadmeFence, ReadmePart } from './readme.ts';

/**
 * An example as a module for the compiler: its README with everything blanked out but the example and what it takes for given,
 * so that the compiler's line numbers are the README's.
 */
export function exampleModule({ givens }: Readme, fence: ReadmeFence): string {
  const lines: string[] = [];
  const put = ({ firstLine, lines: own }: ReadmePart): void => {
    for (const [offset, line] of own.entries()) lines[firstLine - 1 + offset] = line;
  };
  for (const given of givens) if (given.firstLine < fence.firstLine) put(given);
  put(fence);
  // A block of its own lets the example declare anew what is given, as an example that continues from another one needs.
  const body = fence.firstLine - 1 + importLines(fence.lines);
  lines[body] = `{ ${lines[body] ?? ''}`;
  // A module even where it imports nothing, so that examples do not see one another.
  return `${Array.from(lines, (line) => line ?? '').join('\n')} }\nexport {};\n`;
}

/** A file that a page has its reader save, with the README's line numbers: all that it needs stands in it. */
export function fileModule({ firstLine, lines }: ReadmeFence): string {
  return `${'\n'.repeat(firstLine - 1)}${lines.join('\n')}\nexport {};\n`;
}

/** How many lines at the head of an example are imports, which a block cannot hold. */
function importLines(lines: readonly string[]): number {
  const last = lines.findLastIndex((line) => /^import '|^(import .*|\} )from '/.test(line));
  return last + 1;
}
