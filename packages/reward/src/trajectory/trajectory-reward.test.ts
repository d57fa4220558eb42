import { describe, expect, it } from 'vitest';
import { TrajectoryReward, type TrajectoryRewardOptions } from './trajectory-reward.ts';

function call(name: string, args: unknown = {}) {
  return {
    type: 'function',
    function: { name, arguments: typeof args === 'string' ? args : JSON.stringify(args) },
  };
}

const messages = [
  { role: 'user', content: 'Refund order 7.' },
  { role: 'assistant', tool_calls: [call('find_order', { id: 7 }), call('log', 'no JSON')] },
  { role: 'tool', content: '{}' },
  { role: 'assistant', tool_calls: [call('refund', { id: 7, amount: 20 })] },
];

async function judge(options: TrajectoryRewardOptions) {
  const remarks: string[] = [];
  const context = { remark: (text: string) => remarks.push(text) };
  return {
    value: await new TrajectoryReward(options).compute({ transcript: { messages } }, context),
    remarks,
  };
}

describe('TrajectoryReward', () => {
  it.each<[TrajectoryRewardOptions, number]>([
    [{ called: ['refund', 'find_order'] }, 1],
    [{ called: [{ name: 'refund', arguments: { id: 7 } }] }, 1],
    [{ called: [{ name: 'refund', arguments: { id: 8 } }] }, 0],
    [{ called: [{ name: 'log', arguments: { id: 8 } }] }, 0],
    [{ order: ['find_order', 'refund'] }, 1],
    [{ order: ['refund', 'find_order'] }, 0],
    [{ order: ['refund', 'refund'] }, 0],
    [{ forbidden: ['delete_user'] }, 1],
    [{ forbidden: ['refund'], called: ['find_order'], partial: true }, 0],
    [{ maxCalls: 3 }, 1],
    [{ maxCalls: 2 }, 0],
    [{ called: ['refund', 'apologize'], order: ['find_order', 'refund'], maxCalls: 5, partial: true }, 0.75],
  ])('%j gives %d', async (options, value) => {
    expect((await judge(options)).value).toBe(value);
  });

  it('says what was wrong', async () => {
    expect((await judge({ called: ['apologize'], maxCalls: 1 })).remarks).toEqual([
      'It did not call apologize.',
      'It called 3 tools, 1 are allowed.',
    ]);
  });

  it('refuses checks that check nothing, and inputs without messages', async () => {
    expect(() => new TrajectoryReward({})).toThrow('called, order, forbidden or maxCalls');
    const judging = new TrajectoryReward({ called: ['a'] }).compute({} as never);
    await expect(judging).rejects.toMatchObject({ code: 'ART_INVALID_OPTION' });
  });
});
