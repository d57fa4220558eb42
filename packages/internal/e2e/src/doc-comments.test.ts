import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { workspaceRoot } from './workspace-packages.ts';

const docComment = /(?<=^|[\s({[|,;])\/\*\*(?![*/])([\s\S]*?)\*\//g;
const wrongBeginning = /^(?:What|Whether|That|Of|Those|Who|Whoever|Whatever|Told)\b/i;
/** Words that readers stumbled over. */
const dialect = /\bwhoever\b|\bgo(?:es)? on\b/i;

function offendingComments(source: string): { line: number; text: string }[] {
  return [...source.matchAll(docComment)]
    .map((match) => ({
      line: source.slice(0, match.index).split('\n').length,
      text: match[1]!
        .replace(/^\s*\*/gm, '')
        .replace(/\s+/g, ' ')
        .trim(),
    }))
    .filter(({ text }) => wrongBeginning.test(text) || dialect.test(text));
}

it('finds doc comments that begin with a clause', () => {
  // Written in parts, since this file is read, too.
  const doc = (text: string): string => ['/', '**', text, '*', '/'].join('');
  const textsOf = (source: string): string[] => offendingComments(source).map(({ text }) => text);
  expect(textsOf(`${doc(' Whether it is open. ')}\nlet isOpen: boolean;`)).toEqual(['Whether it is open.']);
  expect(textsOf(doc('\n * What a run\n * has. @default none\n '))).toEqual([
    'What a run has. @default none',
  ]);
  expect(textsOf(`type A =\n  | ${doc(' Of both. ')} 1\n  | 2;`)).toEqual(['Of both.']);
  expect(textsOf(`${doc(' who calls ')} f(${doc(' Whatever it is ')} a);`)).toEqual([
    'who calls',
    'Whatever it is',
  ]);
  expect(textsOf(`${doc('Those of "a".')}const a = 1;`)).toEqual(['Those of "a".']);
  expect(textsOf(`const glob = 'src/**/*.ts';\n${doc(' That it is. ')}`)).toEqual(['That it is.']);
  expect(textsOf(doc(' Told of each. ')).concat(textsOf(doc(' It goes on. ')))).toEqual([
    'Told of each.',
    'It goes on.',
  ]);
  for (const text of [
    ' True if what was sent arrived. ',
    ' Offers it. ',
    ' @param what of it ',
    '* Of stars. ',
  ])
    expect(textsOf(doc(text))).toEqual([]);
  expect(textsOf('// What a line says.\n/* Whether it is. */\n/**/')).toEqual([]);
  expect(offendingComments(`let a;\n\n  ${doc('\n   * Whoever.\n   ')}`)).toEqual([
    { line: 3, text: 'Whoever.' },
  ]);
});

it('doc comments begin with a verb, a noun phrase or "True if", and have no dialect', () => {
  const paths = globSync(['packages/*/*/src/**/*.{ts,tsx,mjs}', 'examples/*/src/**/*.{ts,tsx,mjs}'], {
    cwd: workspaceRoot,
    exclude: (path) => /(?:^|\/)(?:node_modules|dist|\.test-[^/]*)(?:\/|$)/.test(path),
  });
  expect(paths.length).toBeGreaterThan(1_500);
  const found = paths.flatMap((path) =>
    offendingComments(readFileSync(join(workspaceRoot, path), 'utf8')).map(
      ({ line, text }) => `${path}:${line}: ${text.slice(0, 80)}`,
    ),
  );
  expect(found).toEqual([]);
});
