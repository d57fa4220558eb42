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

  it.each<[string, unknown, unknown, number]>([
    ['differ in the last digit', '{"id":9007199254740993}', 9007199254740992, 0],
    ['are the same', '{"id":9007199254740993}', 9007199254740993n, 1],
    ['are the same in an object', { id: 9007199254740993n }, 9007199254740993n, 1],
    ['differ in an object', { id: 9007199254740993n }, 2 ** 53, 0],
    ['are a double that is whole', '{"id":9007199254740992}', 2 ** 53, 1],
  ])('compares all digits of ids that %s', async (_, args, id, value) => {
    const asked = [{ role: 'assistant', content: [{ type: 'tool_use', name: 'refund', input: args }] }];
    const reward = new TrajectoryReward({ called: [{ name: 'refund', arguments: { id } }] });
    expect(await reward.compute({ messages: asked })).toBe(value);
  });

  it('says what was wrong', async () => {
    expect((await judge({ called: ['apologize'], maxCalls: 1 })).remarks).toEqual([
      'It did not call apologize.',
      'It called 3 tools, 1 are allowed.',
    ]);
  });

  it.each<[string, object[]]>([
    ['nothing at all', []],
    ['what the user said', messages.slice(0, 1)],
    ['what a tool answered', [{ type: 'function_call_output', call_id: 'a', output: '' }]],
  ])('does not judge where only %s was captured', async (_name, captured) => {
    for (const options of [{ forbidden: ['refund'] }, { maxCalls: 1 }, { called: ['refund'] }]) {
      const judging = new TrajectoryReward(options).compute({ messages: captured });
      await expect(judging).rejects.toMatchObject({
        code: 'ART_JUDGE_FAILED',
        cause: { code: 'ART_INFRASTRUCTURE_ERROR' },
      });
    }
  });

  const found = { id: 7, name: 'refund', arguments: { order: { id: 7, lines: [{ sku: 'A', count: 1 }] } } };
  it.each<[string, object[]]>([
    ['chat completions', [{ role: 'assistant', tool_calls: [call('refund', found.arguments)] }]],
    ['chat completions of old', [{ role: 'assistant', function_call: found }]],
    [
      'Responses',
      [{ type: 'function_call', call_id: 'a', ...found, arguments: JSON.stringify(found.arguments) }],
    ],
    [
      'Messages',
      [
        { role: 'assistant', content: [{ type: 'tool_use', ...found, input: found.arguments }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'done' }] },
      ],
    ],
    ['Converse', [{ role: 'assistant', content: [{ toolUse: { name: 'refund', input: found.arguments } }] }]],
    [
      'the AI SDK',
      [
        {
          role: 'assistant',
          content: [{ type: 'tool-call', toolName: 'refund', input: found.arguments }],
        },
      ],
    ],
  ])('reads calls of %s, and compares arguments by value', async (_name, said) => {
    const value = (options: TrajectoryRewardOptions) =>
      new TrajectoryReward(options).compute({ messages: said });
    const turned = { lines: [{ count: 1, sku: 'A' }], id: 7 };
    expect(await value({ forbidden: ['refund'] })).toBe(0);
    expect(await value({ maxCalls: 0 })).toBe(0);
    expect(await value({ called: [{ name: 'refund', arguments: { order: turned } }] })).toBe(1);
    expect(await value({ called: [{ name: 'refund', arguments: { order: { ...turned, id: 8 } } }] })).toBe(0);
    expect(await value({ called: [{ name: 'refund', arguments: { toString: {} } }] })).toBe(0);
  });

  it('counts the tools that the provider runs, and refuses a call without a name', async () => {
    const search = { type: 'web_search_call', id: 'a', action: { type: 'search', query: 'x' } };
    const reward = new TrajectoryReward({ forbidden: ['web_search'] });
    expect(await reward.compute({ messages: [search] })).toBe(0);
    const quoted = { role: 'user', content: [search] };
    expect(await reward.compute({ messages: [{ role: 'assistant', content: 'Hm.' }, quoted] })).toBe(1);
    for (const nameless of [
      { role: 'assistant', tool_calls: [{ type: 'function', function: {} }] },
      { type: 'function_call', arguments: '{}' },
    ])
      await expect(reward.compute({ messages: [nameless] })).rejects.toMatchObject({
        code: 'ART_INVALID_OPTION',
      });
  });

  it.each([
    { forbidden: [] },
    { called: [], order: [] },
    { forbidden: [{ tool: 'refund' }] },
    { forbidden: [{ name: 'refund', args: {} }] },
    { called: [''] },
  ])('refuses %j, which checks nothing or cannot fit', (options) => {
    expect(() => new TrajectoryReward(options as never)).toThrow(
      expect.objectContaining({ code: 'ART_INVALID_OPTION' }),
    );
  });

  it('refuses checks that check nothing, and inputs without messages', async () => {
    expect(() => new TrajectoryReward({})).toThrow('called, order, forbidden or maxCalls');
    const judging = new TrajectoryReward({ called: ['a'] }).compute({} as never);
    await expect(judging).rejects.toMatchObject({ code: 'ART_INVALID_OPTION' });
  });
});
