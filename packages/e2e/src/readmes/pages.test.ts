import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readReadmes, workspaceRoot } from './readme.ts';

const mostWords = 900;
const reports = ['packages/bench/README.md'];

it(`no page that is read from top to bottom has more than ${mostWords} words`, () => {
  const pages = globSync('packages/docs/**/*.md', {
    cwd: workspaceRoot,
    exclude: (path) => /\/(node_modules|dist|reference)$/.test(path),
  }).filter((path) => !path.endsWith('error-codes.md'));
  expect(pages.length).toBeGreaterThan(10);
  expect(tooLong(pages)).toEqual([]);
});

it(`no README has more than ${mostWords} words, but for reports of figures`, () => {
  const readmes = globSync('{README.md,packages/*/README.md}', { cwd: workspaceRoot });
  expect(readmes.length).toBeGreaterThan(30);
  expect(tooLong(readmes.filter((path) => !reports.includes(path)))).toEqual([]);
});

/** What fits into the column of the site. */
const widest = 76;

/** The pages that a newcomer meets. */
const first = [
  'README',
  'start',
  'ladder',
  'adapt',
  'coding-agents',
  'evaluate',
  'rewards',
  'health',
  'train',
];

it(`no line of code in the first pages is wider than ${widest}, but for a word that cannot be broken`, () => {
  const wide = readReadmes()
    .filter(({ path }) => first.some((name) => path === `packages/docs/${name}.md`))
    .flatMap(({ path, fences }) =>
      fences
        .filter(({ language }) => ['sh', 'ts', 'js', 'yaml', 'python'].includes(language))
        .flatMap(({ firstLine, lines }) =>
          lines.flatMap((line, at) =>
            line.length > widest && !/\S{45}/.test(line) ? [`${path}:${firstLine + at}`] : [],
          ),
        ),
    );
  expect(wide).toEqual([]);
});

function tooLong(paths: readonly string[]): { path: string; words: number }[] {
  return paths
    .map((path) => ({ path, words: wordsOf(readFileSync(join(workspaceRoot, path), 'utf8')) }))
    .filter(({ words }) => words > mostWords);
}

/** As a reader counts them: without what stands in HTML comments, which the site does not show. */
function wordsOf(text: string): number {
  return text
    .replaceAll(/<!--[\s\S]*?-->/g, '')
    .split(/\s+/)
    .filter((word) => /\w/.test(word)).length;
}
