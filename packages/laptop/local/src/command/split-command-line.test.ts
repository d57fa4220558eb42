import { describe, expect, it } from 'vitest';
import { splitCommandLine } from './split-command-line.ts';

describe('splitCommandLine', () => {
  it.each<[string, string[] | undefined]>([
    ['ls -l  /tmp', ['ls', '-l', '/tmp']],
    [' \t\n', []],
    [`/bin/sh -c 'echo "$HOME" \\n'`, ['/bin/sh', '-c', 'echo "$HOME" \\n']],
    ['say "a \\"b\\" \\\\ \\n"', ['say', 'a "b" \\ \\n']],
    [`a'b c'"d e"f`, ['ab cd ef']],
    [`'' ""`, ['', '']],
    ['a\\ b', ['a\\', 'b']],
    [`it's`, undefined],
    ['say "hi', undefined],
    ['say "hi\\"', undefined],
  ])('%j', (command, words) => {
    expect(splitCommandLine(command)).toEqual(words);
  });
});
