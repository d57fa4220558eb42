import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { workspaceRoot } from './workspace-packages.ts';

/** Files with comparisons that rounding does not reach, each with the reason. */
const allowed: Readonly<Record<string, string>> = {
  'packages/agent/reward/src/judge/group-judge.ts': 'the numbers that a judge wrote, against its scale',
  'packages/agent/reward/src/judge/rubric-reward.ts': 'the same',
  'packages/agent/server/src/document/rollout-result.ts': 'whether one number was written twice',
  'packages/evaluate/eval/src/judges/label-agreement.ts':
    'classes, whose numbers are rounded when they are read',
  'packages/evaluate/view/src/page/text/format.ts': 'how a number is written',
  'packages/trainer/train/src/local/sampling/draw-token.ts': 'logits of a model',
};

// Rewards and what is made of them, also as a member, an entry or the result of a call.
const name = String.raw`(?:[\w.!?]+[.!])?(?:\w*[a-z])?(?:[Rr]eward|[Ss]core|[Mm]ean|[Mm]argin|[Aa]dvantage)s?`;
const place = String.raw`(?:\[[\w.+-]+\])?!?`;
const operand = String.raw`(?:${name}|\w*(?:[Ss]um|[Mm]ean)\w*\(\w+\))${place}`;
const operator = String.raw`(?:[<>]=?|[!=]==)`;
const other = String.raw`(?!null\b|undefined\b|['"\x60]|0 \?)[\w.!]+(?:\[[\w.+-]+\])?!?`;
const comparisons = new RegExp(
  String.raw`(?<![\w.])(?:${operand}\)? ${operator} ${other}|(?<!typeof )[\w.!]+(?:\[\w+\])?!? ${operator} ${operand}(?![\w.(]))`,
  'g',
);

/** The comparisons of figures in a source, as they are written. */
function comparisonsOf(text: string): string[] {
  const code = text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*|"[^"\n]*"/g, '');
  return Array.from(code.matchAll(comparisons), ([found]) => found).filter(
    (found) => !/\.(?:length|size) |typeof /.test(found),
  );
}

it('finds comparisons of figures, and nothing else', () => {
  const texts = [
    'if (a.reward >= 1)',
    'return 0.5 < meanScore;',
    'rewards.some((reward) => reward !== rewards[0])',
    'scoreSum(child) > sum',
    'best.score! <= wanted',
    'Math.abs(reward) > most',
    'from < reward',
  ];
  for (const text of texts) expect([text, comparisonsOf(text)]).toEqual([text, [expect.any(String)]]);
  const others = [
    "mode === 'mean'",
    'reward === null',
    'rewards.length > 1',
    "typeof score !== 'number'",
    '(reward) => reward',
    'Map<string, reward>',
    'given !== undefined && reward',
  ];
  for (const text of others) expect([text, comparisonsOf(text)]).toEqual([text, []]);
});

it('figures are compared by @art/ground/figures alone, which knows what rounding is', () => {
  const files = globSync('packages/*/*/src/**/*.{ts,tsx}', { cwd: workspaceRoot }).filter(
    (path) =>
      !/\.(?:test|fixture)\.tsx?$|^packages\/internal\/|^packages\/ground\/ground\/src\/figures\//.test(path),
  );
  expect(files.length).toBeGreaterThan(800);
  const found = files.flatMap((path) =>
    comparisonsOf(readFileSync(join(workspaceRoot, path), 'utf8')).map((text) => ({ path, text })),
  );
  expect(found.filter(({ path }) => !Object.hasOwn(allowed, path))).toEqual([]);
});
