import { readFileSync } from 'node:fs';
import { Value } from 'typebox/value';
import { describe, expect, it } from 'vitest';
import { ServiceReward } from './judgement/service-reward.ts';
import { shopTools } from './desk/shop-tools.ts';
import { openShop } from './shop/open-shop.ts';
import { type Task, TaskSchema } from './task.ts';

const tasks = readFileSync(new URL('../tasks.jsonl', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as { id: string; tags: string[]; payload: { task: Task } });
const reward = new ServiceReward({ baseUrl: 'http://127.0.0.1:1/v1', model: 'nobody', apiKey: 'none' });

describe.each(tasks)('$id', ({ tags, payload: { task } }) => {
  it('can be done, is rated, and is not done by doing nothing', async () => {
    expect(Value.Check(TaskSchema, task)).toBe(true);
    expect(tags.filter((tag) => /^(easy|medium|hard)$/.test(tag))).toHaveLength(1);
    const { actions, say = [], neverPromise: _, ...rest } = task.expected;
    const shop = openShop();
    for (const { tool, args } of actions) shopTools(shop)[tool]!.run(args);
    const told = say.map((fact) => ({ from: 'desk' as const, text: `It is ${fact.split('|')[0]}.` }));
    const expected = { actions, say, ...rest };
    expect(await reward.compute({ expected, shop, messages: told })).toBe(1);
    expect(await reward.compute({ expected, shop: openShop(), messages: [] })).toBe(0);
  });
});
