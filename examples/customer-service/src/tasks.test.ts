import { readFileSync } from 'node:fs';
import { Value } from 'typebox/value';
import { describe, expect, it } from 'vitest';
import type { Conversation } from './converse.ts';
import type { DeskCall } from './desk/desk.ts';
import { ServiceReward } from './judgement/service-reward.ts';
import { shopTools } from './desk/shop-tools.ts';
import { openShop } from './shop/open-shop.ts';
import { type Task, TaskSchema } from './task.ts';

const tasks = readFileSync(new URL('../tasks.jsonl', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as { id: string; tags: string[]; payload: { task: Task } });
/** Short enough to count, and among it what any task wants to hear. */
const everything =
  '$50.50, $24.90, $64.90, $89.90, $89.80. 24 March, 26 March. 30 days. ZIP code. Gift card. Card.';
const reward = new ServiceReward({ baseUrl: 'http://127.0.0.1:1/v1', model: 'nobody', apiKey: 'none' });

describe.each(tasks)('$id', ({ tags, payload: { task } }) => {
  it('can be done, is rated, and is not done by doing nothing', async () => {
    expect(Value.Check(TaskSchema, task)).toBe(true);
    expect(tags.filter((tag) => /^(easy|medium|hard)$/.test(tag))).toHaveLength(1);
    const { actions, say = [], lookups, neverPromise: _, ...rest } = task.expected;
    const shop = openShop();
    const call = ({ tool, args }: Task['expected']['actions'][number]): DeskCall => ({
      tool,
      args: JSON.stringify(args),
      answer: JSON.stringify(shopTools(shop)[tool]!.run(args)),
    });
    const looked = lookups.map(call);
    const calls = [...looked, ...actions.map(call)];
    const facts = say.map((fact) => fact.split('|')[0]!);
    const told = (text: string, made: DeskCall[]): Conversation['messages'] => [
      { from: 'desk', text, calls: made },
    ];
    const expected = { actions, say, lookups, ...rest };
    const judge = (messages: Conversation['messages']) => reward.compute({ expected, shop, messages });
    expect(await judge(told(`It is ${facts.join(', ')}.`, calls))).toBe(1);
    // What was done is right in all of these, as if the task had nothing to change.
    expect(await judge([])).toBe(0);
    expect(await judge(told(`It is ${facts.join(', ')}.`, []))).toBe(0);
    expect(await judge(told(everything, []))).toBe(0);
    expect(await judge([...told(everything, []), ...told('Bye.', calls)])).toBe(0);
    expect(await judge(told(everything, calls))).toBe(0);
    expect(await judge(told(`It is ${facts.join(', ')}.`, calls.slice(1)))).toBe(0);
    const elsewhere = [{ ...looked[0]!, args: '{"email":"nobody@example.com"}', answer: 'Error: no.' }];
    expect(await judge(told(`It is ${facts.join(', ')}.`, [...elsewhere, ...calls.slice(1)]))).toBe(0);
  });
});
