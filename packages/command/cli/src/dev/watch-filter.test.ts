import { describe, expect, it } from 'vitest';
import { isSourcePath } from './watch-filter.ts';

describe('isSourcePath', () => {
  const root = '/home/me/.hidden/node_modules/project';

  it.each([
    ['agent.ts', true],
    ['src/deep/tool.mjs', true],
    ['prompts.yaml', true],
    ['.env', true],
    ['.env.local', true],
    ['results.jsonl', false],
    ['before/run.json', false],
    ['before/status.json', false],
    ['before/results.json', false],
    ['traces/run.log', false],
    ['cache.sqlite', false],
    ['.eslintrc.json', true],
    ['node_modules/x/index.js', false],
    ['src/node_modules/x/index.js', false],
    ['dist/agent.js', false],
    ['.git/config.json', false],
    ['.art/dev/holder.json', false],
    ['.venv/lib/x.py', false],
  ])('%s: %s', (path, isWatched) => {
    expect(isSourcePath(root, `${root}/${path}`, true)).toBe(isWatched);
  });

  it('enters folders but the ignored ones, and the root wherever it is', () => {
    expect(isSourcePath(root, root, undefined)).toBe(true);
    expect(isSourcePath(root, root, false)).toBe(true);
    expect(isSourcePath(root, `${root}/src`, false)).toBe(true);
    expect(isSourcePath(root, `${root}/src`, undefined)).toBe(true);
    expect(isSourcePath(root, `${root}/node_modules`, undefined)).toBe(false);
    expect(isSourcePath(root, `${root}/.git`, false)).toBe(false);
    expect(isSourcePath(root, `${root}/.env`, undefined)).toBe(true);
  });
});
