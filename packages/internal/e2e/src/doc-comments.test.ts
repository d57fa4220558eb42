import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { workspaceRoot } from './workspace-packages.ts';

/** The number of offending doc comments by file, without files that have none. */
type Offences = Readonly<Record<string, number>>;

const listPath = join(import.meta.dirname, 'waiting-doc-comments.json');
const shrink = 'ART_SHRINK=1 npx vitest run src/doc-comments.test.ts';
const docComment = /(?<=^|[\s({[|,;])\/\*\*(?![*/])([\s\S]*?)\*\//g;
const wrongBeginning = /^(?:What|Whether|That|Of|Those|Who|Whoever|Whatever)\b/i;

function offendingComments(source: string): { line: number; text: string }[] {
  return [...source.matchAll(docComment)]
    .map((match) => ({
      line: source.slice(0, match.index).split('\n').length,
      text: match[1]!
        .replace(/^\s*\*/gm, '')
        .replace(/\s+/g, ' ')
        .trim(),
    }))
    .filter(({ text }) => wrongBeginning.test(text));
}

/** One sentence for each file whose number is not the listed one. `describe` adds where a file's offences are. */
function problemsOf(found: Offences, listed: Offences, describe: (path: string) => string): string[] {
  return [...new Set([...Object.keys(found), ...Object.keys(listed)])].toSorted().flatMap((path) => {
    const [count, most] = [found[path] ?? 0, listed[path] ?? 0];
    if (count > most)
      return `${path}: expected at most ${most} doc comments that begin with a clause, got ${count}. Begin with a verb in the third person, a noun phrase, or "True if". ${describe(path)}`;
    return count < most
      ? `${path}: the list has ${most}, ${count} are left. Lower the list, in packages/internal/e2e: ${shrink}`
      : [];
  });
}

/** The list without what was mended. Numbers never rise. */
function shrunkList(found: Offences, listed: Offences): Offences {
  return Object.fromEntries(
    Object.entries(listed)
      .map(([path, most]) => [path, Math.min(most, found[path] ?? 0)] as const)
      .filter(([, count]) => count > 0),
  );
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

it('accepts the listed numbers alone, and never raises one', () => {
  const listed = { 'a.ts': 2, 'b.ts': 1, 'gone.ts': 3 };
  const describe = (): string => '';
  expect(problemsOf(listed, listed, describe)).toEqual([]);
  expect(problemsOf({ ...listed, 'a.ts': 3 }, listed, describe)).toEqual([
    expect.stringMatching(/^a\.ts: .*at most 2 .*got 3/),
  ]);
  expect(problemsOf({ ...listed, 'new.ts': 1 }, listed, describe)).toEqual([
    expect.stringMatching(/^new\.ts: .*at most 0 .*got 1/),
  ]);
  expect(problemsOf({ 'a.ts': 1, 'b.ts': 1 }, listed, describe)).toEqual([
    expect.stringMatching(/^a\.ts: the list has 2, 1 are left.*ART_SHRINK=1/),
    expect.stringMatching(/^gone\.ts: the list has 3, 0 are left.*ART_SHRINK=1/),
  ]);
  expect(shrunkList({ 'a.ts': 1, 'b.ts': 4, 'new.ts': 1 }, listed)).toEqual({ 'a.ts': 1, 'b.ts': 1 });
});

it('doc comments begin with a verb, a noun phrase or "True if", except those that still wait', () => {
  const paths = globSync(['packages/*/*/src/**/*.{ts,tsx,mjs}', 'examples/*/src/**/*.{ts,tsx,mjs}'], {
    cwd: workspaceRoot,
    exclude: (path) => /(?:^|\/)(?:node_modules|dist|\.test-[^/]*)(?:\/|$)/.test(path),
  });
  expect(paths.length).toBeGreaterThan(1_500);
  const comments = new Map(
    paths.map((path) => [path, offendingComments(readFileSync(join(workspaceRoot, path), 'utf8'))]),
  );
  const found: Offences = Object.fromEntries(
    [...comments].filter(([, list]) => list.length > 0).map(([path, list]) => [path, list.length]),
  );
  let listed = JSON.parse(readFileSync(listPath, 'utf8')) as Offences;
  if (process.env['ART_SHRINK'] === '1') {
    listed = shrunkList(found, listed);
    writeFileSync(listPath, `${JSON.stringify(listed, null, 2)}\n`);
  }
  const describe = (path: string): string =>
    comments
      .get(path)!
      .map(({ line, text }) => `Line ${line}: ${text.slice(0, 80)}`)
      .join(' | ');
  expect(problemsOf(found, listed, describe)).toEqual([]);
});
