import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MigrationReward } from '../judgement/migration-reward.ts';
import { withWorkspace } from '../workspace/workspace.ts';
import { dependencies } from './dependencies.ts';
import { makeTasks } from './make-tasks.ts';
import { patterns } from './patterns.ts';

const tasks = makeTasks();

it('tasks.jsonl is what the generator makes, and has every pattern and dependency', () => {
  const lines = readFileSync(new URL('../../tasks.jsonl', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n');
  expect(lines).toEqual(tasks.map(({ id, tags, payload }) => JSON.stringify({ id, tags, payload })));
  const tags = new Set(tasks.flatMap((task) => task.tags));
  expect([...dependencies, ...patterns].filter(({ name }) => !tags.has(name))).toEqual([]);
});

describe.each(tasks)('$id', ({ tags, payload: { files, probes = [] }, solution }) => {
  const reward = new MigrationReward({ timeoutMs: 100_000, outputBytes: 200_000 });

  it('is solved by its solution, and not as it is', async () => {
    const remarks: string[] = [];
    const remark = (text: string): void => void remarks.push(text);
    const after = { ...files, ...solution };
    expect([await reward.compute({ before: files, after, probes }, { remark }), remarks]).toEqual([1, []]);
    expect(await reward.compute({ before: files, after: files, probes })).toBe(0);
  });

  it('behaves with version 1 of its dependency as the probes say', async () => {
    const { name, formerly } = dependencies.find((one) => one.name === tags[1])!;
    const own = Object.entries(files).filter(([path]) => !path.startsWith('node_modules/'));
    const old = { ...Object.fromEntries(own), [`node_modules/${name}/index.js`]: formerly };
    await withWorkspace(old, async ({ folder }) => {
      const pkg = createRequire(join(folder, 'x'))('./index.js') as Record<string, unknown>;
      for (const { call, args, gives, throws } of probes) {
        const value = pkg[call];
        const use = (): unknown => (typeof value === 'function' ? (value(...args) as unknown) : value);
        if (throws === undefined) expect([call, use()]).toEqual([call, gives]);
        else expect(use).toThrow(throws);
      }
    });
  });
});
