import { describe, expect, it } from 'vitest';
import type { JsonObject } from '@art/ground';
import type { RecordedRollout } from '../records/rollout-record.ts';
import type { ExportOptions } from './export-options.ts';
import { exportRollouts } from './export-rollouts.ts';
import {
  answer,
  lookUp,
  recordedRollout,
  system,
  toolCall,
  toolResult,
  toolRollout,
  user,
} from './recorded-rollout.fixture.ts';
import type { TrainChoice } from '../tree/train-choice.ts';

async function exported(rollouts: readonly RecordedRollout[], options: ExportOptions) {
  const made = exportRollouts(rollouts, options);
  const lines: JsonObject[] = [];
  for await (const line of made) lines.push(line);
  return { lines, summary: made.summary };
}

describe('exportRollouts', () => {
  it('writes OpenAI with arguments as text, and without what only an engine knows', async () => {
    const { lines } = await exported([toolRollout()], { format: 'openai', minReward: 1 });
    expect(lines).toEqual([
      {
        messages: [
          system('Use the tool.'),
          user('What is ab?'),
          { role: 'assistant', content: null, tool_calls: [toolCall('c1', 'look_up', '{"key": "ab"}')] },
          toolResult('c1', '42'),
          answer('It is 42.'),
        ],
        tools: [lookUp],
      },
    ]);
  });

  it('writes TRL with arguments as an object, tools as text and the reasoning that the agent did not send back', async () => {
    const { lines } = await exported([toolRollout()], { format: 'trl', minReward: 1 });
    const [line] = lines as [{ messages: JsonObject[]; tools: string }];
    expect(line.messages[2]).toEqual({
      role: 'assistant',
      content: '',
      reasoning_content: 'I look it up.',
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'look_up', arguments: { key: 'ab' } } }],
    });
    expect(line.messages[3]).toEqual({ ...toolResult('c1', '42'), name: 'look_up' });
    expect(JSON.parse(line.tools)).toEqual([lookUp]);
    const text = await exported([toolRollout()], { format: 'trl', minReward: 1, arguments: 'text' });
    expect(text.lines[0]).toMatchObject({
      messages: [{}, {}, { tool_calls: [{ function: { arguments: '{"key": "ab"}' } }] }, {}, {}],
    });
  });

  it('writes a line a call as it was asked, without the reasoning of earlier turns', async () => {
    const { lines } = await exported([toolRollout()], { format: 'prompt-completion', minReward: 1 });
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatchObject({ completion: [{ reasoning_content: 'I look it up.' }] });
    expect((lines[1] as { prompt: JsonObject[] }).prompt[2]).not.toHaveProperty('reasoning_content');
    expect(lines[1]).toMatchObject({ completion: [answer('It is 42.')] });
  });

  it('teaches a turn that two branches share in the first of them only', async () => {
    const asked = [user('One?')];
    const shared = [...asked, answer('1'), user('Two?')];
    const forked = recordedRollout([
      { messages: asked, response_message: answer('1') },
      { messages: shared, response_message: answer('2') },
      { messages: [...asked, answer('1'), user('Three?')], response_message: answer('3') },
    ]);
    const { lines } = await exported([forked], { format: 'openai', minReward: 0 });
    expect(lines).toEqual([
      { messages: [...shared, answer('2')] },
      { messages: [user('One?'), answer('1', { weight: 0 }), user('Three?'), answer('3')] },
    ]);
    // What has no weights takes the first branch, and says how many it could not take.
    for (const format of ['trl', 'sharegpt', 'bedrock'] as const) {
      const { summary } = await exported([forked], { format, minReward: 0 });
      expect(summary).toEqual({ rollouts: 1, lines: 1, leftOut: { shared_turns: 1 } });
    }
    const byCall = await exported([forked], { format: 'prompt-completion', minReward: 0 });
    expect(byCall.lines.map(({ completion }) => completion)).toEqual([
      [answer('1')],
      [answer('2')],
      [answer('3')],
    ]);
  });

  it('does not teach answers that the agent made up or got elsewhere', async () => {
    const shown = recordedRollout([
      { messages: [user('2+2?'), answer('4'), user('3+3?')], response_message: answer('6') },
    ]);
    const { lines } = await exported([shown], { format: 'openai', minReward: 0 });
    expect(lines).toEqual([
      { messages: [user('2+2?'), answer('4', { weight: 0 }), user('3+3?'), answer('6')] },
    ]);
    const { summary } = await exported([shown], { format: 'trl', minReward: 0 });
    expect(summary.leftOut).toEqual({ foreign_answers: 1 });
  });

  it('teaches the chosen agents only: what others say is context', async () => {
    const planned = recordedRollout([
      { messages: [user('Plan.')], response_message: answer('a plan'), metadata: { label: 'planner' } },
      {
        messages: [user('Judge.')],
        response_message: answer('good'),
        model: 'judge',
        metadata: { label: 'critic' },
        // Nobody asks of it that it was whole.
        finish_reason: 'length',
      },
      {
        messages: [user('Plan.'), answer('a plan'), user('Do.')],
        response_message: answer('done'),
        metadata: { label: 'doer' },
      },
    ]);
    const by = async (trains: TrainChoice, format: 'openai' | 'dpo' = 'openai') =>
      exported([planned], { format, minReward: 0, trains });
    const whole = { messages: [user('Plan.'), answer('a plan'), user('Do.'), answer('done')] };
    expect((await by({ lineage: 'first' })).lines).toEqual([whole]);
    expect((await by({ models: ['policy'] })).lines).toEqual([whole]);
    expect((await by({ labels: ['doer'] })).lines).toEqual([
      { messages: [user('Plan.'), answer('a plan', { weight: 0 }), user('Do.'), answer('done')] },
    ]);
    expect((await by({ labels: ['judge'] })).summary.leftOut).toEqual({ not_chosen: 1 });
    expect((await by({ models: ['judge'] })).summary.leftOut).toEqual({ truncated: 1 });
    await expect(exported([planned], { format: 'atif', trains: { lineage: 'first' } })).rejects.toThrow(
      '`trains` to be left out',
    );
  });

  it('leaves out what is not to be imitated, and counts it by reason', async () => {
    const good = toolRollout();
    const cut = recordedRollout([
      { messages: [user('Hi')], response_message: answer('He'), finish_reason: 'length' },
    ]);
    const broken = recordedRollout([
      { messages: [user('Hi')], response_message: answer('He'), capture: 'partial' },
    ]);
    const illFormed = recordedRollout([
      {
        messages: [user('Hi')],
        response_message: answer('', { tool_calls: [toolCall('c1', 'look_up', '{"key": ')] }),
      },
    ]);
    const nameless = recordedRollout([
      { messages: [user('Hi')], response_message: answer('', { tool_calls: [toolCall('c1', '', '{}')] }) },
    ]);
    const picture = recordedRollout([
      {
        messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:,' } }] }],
        response_message: answer('A cat.'),
      },
    ]);
    const { lines, summary } = await exported(
      [
        good,
        cut,
        broken,
        illFormed,
        nameless,
        picture,
        toolRollout({ outcome: 'agent_error', reward: 1 }),
        toolRollout({ reward: null }),
        toolRollout({ reward: 0.5 }),
        toolRollout({ conversation: undefined }),
        toolRollout({ conversation: { messages: [], calls: [] } }),
      ],
      { format: 'openai', minReward: 1 },
    );
    expect(lines).toHaveLength(1);
    expect(summary).toEqual({
      rollouts: 11,
      lines: 1,
      leftOut: {
        truncated: 1,
        partial: 1,
        ill_formed_tool_call: 2,
        media: 1,
        failed: 1,
        no_reward: 1,
        reward_too_low: 1,
        no_calls: 2,
      },
    });
  });

  it('asks for a reward that is good enough, and for options that fit the format', () => {
    const code = expect.objectContaining({ code: 'ART_INVALID_OPTION' });
    for (const format of ['openai', 'trl', 'prompt-completion', 'sharegpt', 'bedrock'] as const)
      expect(() => exportRollouts([], { format })).toThrow(/minReward/);
    expect(() => exportRollouts([], { format: 'openai', minReward: 1, arguments: 'object' })).toThrow(code);
    expect(() => exportRollouts([], { format: 'trl', minReward: 1, minMargin: 1 })).toThrow(code);
    expect(() => exportRollouts([], { format: 'csv' as never })).toThrow(code);
  });

  it('pairs the best answer of a group with the worst', async () => {
    const said = (text: string, reward: number, inputId = 'i1') =>
      recordedRollout([{ messages: [system('Be brief.'), user('Hi')], response_message: answer(text) }], {
        id: text,
        inputId,
        reward,
      });
    const other = recordedRollout([{ messages: [user('It is noon.')], response_message: answer('x') }], {
      inputId: 'i4',
      reward: 0,
    });
    const { lines, summary } = await exported(
      [
        said('fair', 0.5),
        said('bad', 0),
        said('good', 1),
        said('a', 1, 'i2'),
        said('b', 1, 'i2'),
        said('alone', 1, 'i3'),
        said('c', 1, 'i4'),
        other,
        said('same', 1, 'i5'),
        said('same', 0, 'i5'),
      ],
      { format: 'dpo' },
    );
    expect(lines).toEqual([
      { prompt: [system('Be brief.'), user('Hi')], chosen: [answer('good')], rejected: [answer('bad')] },
    ]);
    expect(summary.leftOut).toEqual({ no_margin: 1, no_pair: 1, different_prompts: 1, same_answers: 1 });
    const far = await exported([said('good', 1), said('bad', 0.5)], { format: 'dpo', minMargin: 0.6 });
    expect(far.summary.leftOut).toEqual({ no_margin: 1 });
    const rounded = async (best: number, worst: number, minMargin?: number, minReward?: number) =>
      (await exported([said('good', best), said('bad', worst)], { format: 'dpo', minMargin, minReward }))
        .lines.length;
    expect(await rounded(0.1 + 0.2, 0.3)).toBe(0);
    expect([await rounded(0.8, 0.7, 0.1), await rounded(1e6 + 0.3, 1e6, 0.3)]).toEqual([1, 1]);
    expect(await rounded(0.6 + 0.3 + 0.1, 0, undefined, 1)).toBe(1);
    const kept = await exported([said('good', 0.6 + 0.3 + 0.1)], { format: 'trl', minReward: 1 });
    expect(kept.lines).toHaveLength(1);
    const chosen = (await exported([toolRollout(), said('x', 0)], { format: 'dpo' })).summary;
    expect(chosen.leftOut).toEqual({ different_prompts: 1 });
  });

  it('writes ShareGPT where questions and answers take turns', async () => {
    const { lines } = await exported([toolRollout()], { format: 'sharegpt', minReward: 0 });
    expect(lines).toEqual([
      {
        conversations: [
          { from: 'human', value: 'What is ab?' },
          { from: 'function_call', value: '{"name":"look_up","arguments":{"key":"ab"}}' },
          { from: 'observation', value: '42' },
          { from: 'gpt', value: 'It is 42.' },
        ],
        system: 'Use the tool.',
        tools: JSON.stringify([lookUp]),
      },
    ]);
    const talking = recordedRollout([
      {
        messages: [user('Hi')],
        response_message: answer('Wait.', { tool_calls: [toolCall('c', 'f', '{}')] }),
      },
    ]);
    const { summary } = await exported([talking], { format: 'sharegpt', minReward: 0 });
    expect(summary).toMatchObject({ lines: 0, leftOut: { text_beside_tool_call: 1 } });
  });

  it('writes Bedrock without tools', async () => {
    const plain = recordedRollout([
      { messages: [system('Be brief.'), user('Hi'), user('Hello?')], response_message: answer('Yes.') },
    ]);
    const { lines, summary } = await exported([plain, toolRollout()], { format: 'bedrock', minReward: 0 });
    expect(lines).toEqual([
      {
        schemaVersion: 'bedrock-conversation-2024',
        system: [{ text: 'Be brief.' }],
        messages: [
          { role: 'user', content: [{ text: 'Hi' }, { text: 'Hello?' }] },
          { role: 'assistant', content: [{ text: 'Yes.' }] },
        ],
      },
    ]);
    expect(summary.leftOut).toEqual({ tool_calls: 1 });
  });

  it('writes ATIF with tokens, results folded into the step that asked, and the reward as an extra', async () => {
    const { lines } = await exported([toolRollout({ outcome: 'timeout', reward: null })], {
      format: 'atif',
      agentName: 'math',
    });
    expect(lines).toEqual([
      {
        schema_version: 'ATIF-v1.7',
        session_id: 's',
        trajectory_id: 'r1:0',
        agent: { name: 'math', version: 'unknown', model_name: 'policy', tool_definitions: [lookUp] },
        steps: [
          { step_id: 1, source: 'system', message: 'Use the tool.' },
          { step_id: 2, source: 'user', message: 'What is ab?' },
          {
            step_id: 3,
            source: 'agent',
            message: '',
            tool_calls: [{ tool_call_id: 'c1', function_name: 'look_up', arguments: { key: 'ab' } }],
            timestamp: '2023-11-14T22:13:20.000Z',
            model_name: 'policy',
            reasoning_content: 'I look it up.',
            llm_call_count: 1,
            metrics: {
              prompt_tokens: 3,
              completion_tokens: 2,
              completion_token_ids: [10, 11],
              logprobs: [-0.5, -0.25],
              extra: { art: { trace_id: 't0', weight_version: 17, finish_reason: 'tool_calls' } },
            },
            observation: { results: [{ source_call_id: 'c1', content: '42' }] },
          },
          expect.objectContaining({ step_id: 4, source: 'agent', message: 'It is 42.' }),
        ],
        final_metrics: { total_prompt_tokens: 6, total_completion_tokens: 4, total_steps: 4 },
        extra: { art: { rollout_id: 'r1', input_id: 'i1', outcome: 'timeout', reward: null } },
      },
    ]);
  });

  it('takes the agent that began for the trajectory of ATIF, not the sub-agent that it waited for', async () => {
    const asks = answer('', { tool_calls: [toolCall('c1', 'ask', '{}')] });
    const waiting = recordedRollout([
      { messages: [user('q')], response_message: asks },
      { messages: [user('sub')], response_message: answer('sub answer') },
      { messages: [user('q'), asks, toolResult('c1', 'sub answer')], response_message: answer('A') },
    ]);
    const { lines } = await exported([waiting], { format: 'atif' });
    expect(lines).toMatchObject([
      {
        steps: [{ message: 'q' }, { message: '' }, { message: 'A' }],
        subagent_trajectories: [{ steps: [{ message: 'sub' }, { message: 'sub answer' }] }],
      },
    ]);
  });

  it('writes branches of ATIF as their own trajectories, in which copied turns are no sampled ones', async () => {
    const asked = [user('One?')];
    const forked = recordedRollout([
      { messages: asked, response_message: answer('1') },
      { messages: [...asked, answer('1'), user('Two?')], response_message: answer('2') },
      { messages: [...asked, answer('1'), user('Three?')], response_message: answer('3') },
    ]);
    const { lines } = await exported([forked], { format: 'atif' });
    expect(lines[0]).toMatchObject({
      trajectory_id: 'r1:0',
      subagent_trajectories: [
        { trajectory_id: 'r1:1', steps: [{}, { is_copied_context: true }, {}, { message: '3' }] },
      ],
    });
  });
});
