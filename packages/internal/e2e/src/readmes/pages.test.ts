import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { workspaceRoot } from './readme.ts';

const mostWords = 900;
const reports = ['packages/internal/bench/README.md'];

it(`no page that is read from top to bottom has more than ${mostWords} words`, () => {
  const pages = globSync('packages/internal/docs/**/*.md', {
    cwd: workspaceRoot,
    exclude: (path) => /\/(node_modules|dist|reference)$/.test(path),
  }).filter((path) => !path.endsWith('error-codes.md'));
  expect(pages.length).toBeGreaterThan(10);
  expect(tooLong(pages)).toEqual([]);
});

it(`no README has more than ${mostWords} words, but for reports of figures`, () => {
  const readmes = globSync('{README.md,packages/*/*/README.md}', { cwd: workspaceRoot });
  expect(readmes.length).toBeGreaterThan(30);
  expect(tooLong(readmes.filter((path) => !reports.includes(path)))).toEqual([]);
});

function tooLong(paths: readonly string[]): { path: string; words: number }[] {
  return paths
    .map((path) => ({ path, words: wordsOf(readFileSync(join(workspaceRoot, path), 'utf8')) }))
    .filter(({ words }) => words > mostWords);
}

/** As a reader counts them: without generated tables, HTML comments, which the site does not show, and what commands print, which is compared and not read. */
function wordsOf(text: string): number {
  return text
    .replaceAll(/<!-- The table is written[\s\S]*?<!-- End of the table\. -->/g, '')
    .replaceAll(/<!--[\s\S]*?-->|^It (?:prints|ends with).*:\n\n```text\n[\s\S]*?^```$/gm, '')
    .split(/\s+/)
    .filter((word) => /\w/.test(word)).length;
}
