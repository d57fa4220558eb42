import { describe, expect, it } from 'vitest';
import type { JsonValue } from '@art/ground';
import type { RecordedRollout } from '@art/trajectories';
import type { HealthOptions } from '../run/health-options.ts';
import { type Planted, plantedRollout, plantedRun, trainingRow } from '../run/observed-rollout.fixture.ts';
import { checkHealth } from './check-health.ts';
import type { HealthCheckResult } from '../result/health-check-result.ts';
import { checkLogprobGap } from './check-logprob-gap.ts';

const say = (content: string, more: object = {}) => ({ role: 'assistant', content, ...more });
const call = (name: string, given: string) => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'c', type: 'function', function: { name, arguments: given } }],
});

async function findings(
  run: readonly RecordedRollout[],
  options: HealthOptions = {},
): Promise<(HealthCheckResult & { state: 'finding' })[]> {
  const { checks } = await checkHealth(run, { purpose: 'training', ...options });
  return checks.filter((result) => result.state === 'finding');
}

const names = async (run: readonly RecordedRollout[], options?: HealthOptions) =>
  (await findings(run, options)).map(({ check, level }) => `${check}: ${level}`);

describe('checkHealth', () => {
  it('finds nothing in a run in which nothing is wrong, and says what it could not look at', async () => {
    const { checks, worst, rollouts } = await checkHealth(plantedRun(), { purpose: 'training' });
    expect({ worst, rollouts }).toEqual({ worst: undefined, rollouts: 24 });
    const open = checks.filter(({ state }) => state === 'not_observed').map(({ check }) => check);
    expect(open).toEqual(['reward_out_of_range', 'group_drew_the_same']);
  });

  it('calls nothing healthy that nobody saw', async () => {
    const blind = plantedRun(() => ({ conversation: undefined, rows: undefined, failedCalls: undefined }));
    const { checks } = await checkHealth(blind, { purpose: 'training' });
    const healthy = checks.filter(({ state }) => state === 'healthy').map(({ check }) => check);
    expect(healthy).toEqual([
      'infrastructure_failures',
      'agent_errors',
      'reward_missing',
      'reward_constant',
      'group_without_spread',
      'duplicate_identity',
      'task_always_unhealthy',
    ]);
    expect((await checkHealth([])).checks.every(({ state }) => state === 'not_observed')).toBe(true);
  });

  it.each<[string, (input: number, member: number) => Planted, HealthOptions?]>([
    [
      'infrastructure_failures: error',
      (_, member) => (member === 3 ? { outcome: 'lost', reward: null, rows: [] } : {}),
    ],
    [
      'agent_errors: error',
      (_, member) => (member === 1 ? { outcome: 'agent_error', reward: null, rows: [] } : {}),
    ],
    ['no_model_calls: error', () => ({ conversation: { messages: [], calls: [] }, rows: undefined })],
    [
      'no_model_calls: warning',
      (input, member) =>
        input + member === 0 ? { conversation: { messages: [], calls: [] }, rows: undefined } : {},
    ],
    ['model_calls_failed: warning', () => ({ failedCalls: 1 })],
    ['prompt_identical_across_tasks: error', () => ({ question: 'What is undefined?' })],
    ['tools_never_called: error', (input, member) => ({ first: say(`I guess ${input}${member}.`) })],
    ['tool_call_ill_formed: error', (_, member) => (member === 0 ? { first: call('', '{}') } : {})],
    [
      'tool_call_ill_formed: error',
      (_, member) => (member === 0 ? { first: call('lookup', '{"key":"k"}') } : {}),
    ],
    [
      'tool_call_ill_formed: error',
      (_, member) => (member === 0 ? { first: call('look_up', '{"key":') } : {}),
    ],
    ['tool_always_fails: error', () => ({ result: 'Error: connect ECONNREFUSED 10.0.0.1:443' })],
    ['tool_always_fails: error', () => ({ result: '{"error":"no API key"}' })],
    ['tool_always_fails: warning', () => ({ result: '[object Object]' })],
    ['hollow_answer: warning', (input, member) => (input + member === 3 ? { last: say('') } : {})],
    ['hollow_answer: error', () => ({ last: say(' ') })],
    ['cut_off: warning', (_, member) => (member === 2 ? { capture: { finish_reason: 'length' } } : {})],
    [
      'capture_incomplete: error',
      () => ({ capture: { capture: 'text_only', completion_token_ids: [] }, rows: undefined }),
    ],
    [
      'capture_incomplete: warning',
      (input, member) =>
        input + member === 0 ? { capture: { capture: 'incomplete', capture_problems: ['no logprobs'] } } : {},
    ],
    [
      'capture_incomplete: warning',
      (input, member) =>
        input + member === 0 ? { capture: { token_counts: { prompt: 2, completion: 99 } } } : {},
    ],
    ['nothing_trains: error', () => ({ rows: [] })],
    ['nothing_trains: warning', (_, member) => (member === 1 ? { rows: [] } : {})],
    ['reward_missing: error', (input, member) => (input + member === 1 ? { reward: null } : {})],
    ['reward_missing: error', (input, member) => (input + member === 1 ? { reward: Number.NaN } : {})],
    [
      'reward_out_of_range: error',
      (input, member) => ({ reward: (input + member) % 5 }),
      { rewardRange: [0, 1] },
    ],
    ['group_without_spread: warning', (input, member) => ({ reward: input < 4 ? input % 2 : member % 2 })],
    [
      'answers_identical: error',
      (input) => ({ last: say(`${input}`), capture: { completion_token_ids: [input, 1] }, rows: undefined }),
    ],
    ['group_drew_the_same: warning', (input) => ({ capture: { raw_request: { seed: input + 7 } } })],
    [
      'group_drew_the_same: warning',
      (input, member) => ({ result: `order ${input}0${member}, capture 8c1f0e6a5b3d4c2${input}9e1f` }),
    ],
    [
      'group_drew_the_same: warning',
      (input) => ({ document: { ticket: { id: `V1St${input}GXR8_Z5jdHi6B-myT` } } }),
    ],
    [
      'group_drew_the_same: warning',
      (input) => ({ document: { id: `0b3f6a52-7c1d-4e8f-9a3b-5c6d7e8f9a0${input}` } }),
    ],
    ['group_drew_the_same: warning', (input) => ({ first: call('look_up', `{"key":9182736450${input}}`) })],
    [
      'group_drew_the_same: warning',
      (input) => ({ first: call('look_up', `{"key":"k ${input}8c1f0e6a5b3d4c29e1f"}`) }),
    ],
    ['sampling_not_as_asked: warning', (_, member) => ({ temperature: member === 0 ? 0 : 1 })],
    [
      'sampling_not_as_asked: warning',
      (_, member) => ({ rows: undefined, capture: { temperature: member === 0 ? 0 : 1 } }),
    ],
    ['sampling_not_as_asked: warning', () => ({ capture: { temperature: 0.2 } }), { temperature: 1 }],
    ['weight_versions_mixed: note', () => ({ rows: undefined, versionsByCall: [3, 4] })],
    ['weight_versions_mixed: note', (_, member) => (member === 0 ? { versions: [3, 4] } : {})],
    ['weight_versions_mixed: warning', () => ({ versions: [3, 9] }), { maxVersionLag: 2 }],
    [
      'weight_versions_mixed: warning',
      () => ({ versions: ['step-3', 'step-9'] as never }),
      { maxVersionLag: 2 },
    ],
    [
      'sampling_not_as_asked: warning',
      () => ({ rows: undefined, capture: { temperature: null, top_p: 0.9 } }),
      { temperature: 0.7 },
    ],
    ['duplicate_identity: error', (input, member) => (input + member === 0 ? { sessionId: 'si1#0' } : {})],
  ])('finds %s, and nothing else', async (expected, planted, options) => {
    expect(await names(plantedRun(planted), options)).toEqual([expected]);
  });

  it('tells users who say the same to different answers from a script, and from users who differ', async () => {
    const withTurn = (say: (input: number, member: number) => string) =>
      plantedRun().map((rollout, at) => {
        const { messages, calls } = rollout.conversation!;
        const turn = { role: 'user', content: say(Math.floor(at / 4), at % 4) };
        return { ...rollout, conversation: { messages: [...messages, turn], calls } };
      });
    const found = async (run: RecordedRollout[]) => (await names(run)).filter((name) => /drew/.test(name));
    expect(await found(withTurn((input) => `I want ${input} of them.`))).toEqual([
      'group_drew_the_same: warning',
    ]);
    expect(await found(withTurn(() => 'Go on.'))).toEqual([]);
    expect(await found(withTurn((input, member) => `I want ${input} or ${member}.`))).toEqual([]);
  });

  it('takes different seeds, and ids that are in the task or the answers, for no fault', async () => {
    const run = plantedRun((input, member) => ({
      question: `What is order 5d1c0e6a5b3d4c2${input}?`,
      result: `order 5d1c0e6a5b3d4c2${input} is ${member}`,
      capture: { raw_request: { seed: input * 4 + member } },
    }));
    expect(await names(run)).toEqual([]);
    const { checks } = await checkHealth(run, { purpose: 'training' });
    expect(checks.find(({ check }) => check === 'group_drew_the_same')?.state).toBe('healthy');
  });

  const nanoid = (input: number) => `V1St${input}GXR8_Z5jdHi6B-myT`;
  it.each<[string, (input: number, member: number) => Planted]>([
    [
      'of the prompt',
      (input) => ({ question: `Is ${nanoid(input)} sent?`, document: { id: nanoid(input) } }),
    ],
    ['of the payload', (input) => ({ payload: { id: nanoid(input) }, document: { id: nanoid(input) } })],
    [
      'of a payload in the document',
      (input) => ({ document: { id: nanoid(input), payload: [nanoid(input)] } }),
    ],
    [
      'that the model gave',
      (input) => ({ last: say(`It is ${nanoid(input)}.`), document: { id: nanoid(input) } }),
    ],
    ['of a group', (input) => ({ inputId: nanoid(input), document: { input_id: nanoid(input) } })],
    ['that are digests', () => ({ document: { commit: '5d1c0e6a5b3d4c25d1c0e6a5b3d4c25d1c0e6a5b' } })],
    ['in names and words', () => ({ document: { text: 'getUser2ByEmailAddress report-2026-11-28-final' } })],
    ['in Base64', () => ({ document: { file: 'UEsDBBQ+A1bC2dE3fG4hI5jK6lM7+UEsDBBQ/A1bC2dE3fG4=' } })],
    ['that are times', () => ({ first: call('look_up', '{"key":1764369000,"toMs":"1764369000000"}') })],
    [
      'that are short',
      (input) => ({ first: call('look_up', `{"key":${input}04107,"amount":250000000000}`) }),
    ],
  ])('takes ids and numbers %s for no draws', async (_, planted) => {
    const found = await names(plantedRun((input, member) => ({ ...planted(input, member) })));
    expect(found.filter((name) => /drew/.test(name))).toEqual([]);
  });

  it('blames an id on the one who brought it in first, and not on those who repeat it', async () => {
    const run = plantedRun((input, member) => ({
      result: `ticket 8c1f0e6a5b3d4c2${input}9e1f`,
      last: call('look_up', `{"key":"8c1f0e6a5b3d4c2${input}9e1f","reason":"${member}"}`),
      document: { ticket: `8c1f0e6a5b3d4c2${input}9e1f` },
    }));
    const { checks } = await checkHealth(run, { purpose: 'training' });
    expect(checks.find(({ check }) => check === 'group_drew_the_same')).toMatchObject({
      message: expect.stringContaining('members drew the same ids, though'),
    });
  });

  it('finds ids in documents that are nested deeper than calls, beside integers past 2^53', async () => {
    const nested = (leaf: JsonValue) =>
      Array.from({ length: 20_000 }).reduce<JsonValue>((inner) => [inner], leaf);
    const run = plantedRun((input) => ({
      payload: { at: 2n ** 60n + 1n },
      document: { ticket: nested(`8c1f0e6a5b3d4c2${input}9e1f`) },
    }));
    expect(await names(run)).toEqual(['group_drew_the_same: warning']);
  });

  it('takes agents that the trainer left out for no fault', async () => {
    const run = plantedRun((input, member) => ({
      first: {
        role: 'assistant',
        content: null,
        tool_calls: [
          {
            id: `ci${input}#${member}`,
            type: 'function',
            function: { name: 'look_up', arguments: `{"key":"k${input}"}` },
          },
        ],
      },
    })).map((rollout) => {
      const [call, ...calls] = rollout.conversation!.calls;
      const other = { ...call!, capture: 'text_only', tokens: null };
      const [row] = rollout.rows!;
      const masked = [{ trace_id: call!.captureId, reason: 'not_chosen', problems: ['model "judge"'] }];
      return {
        ...rollout,
        conversation: { ...rollout.conversation!, calls: [other, ...calls] },
        rows: [{ ...row!, metadata: { masked_turns: masked } }],
      };
    });
    expect(await names(run)).toEqual([]);
  });

  it('finds calls of tools that arrive as text, with which no tool is called', async () => {
    const asText = (input: number, member: number) => ({
      first: say(
        `<tool_call>\n{"name": "look_up", "arguments": {"key": "k${input}${member}"}}\n</tool_call>`,
      ),
    });
    expect(await names(plantedRun(asText))).toEqual([
      'tools_never_called: error',
      'tool_call_in_text: error',
    ]);
  });

  it('finds a constant reward, which also leaves groups without spread', async () => {
    expect(await names(plantedRun(() => ({ reward: 0.5 })))).toEqual([
      'reward_constant: error',
      'group_without_spread: error',
    ]);
  });

  it('finds rewards that pay for length', async () => {
    const run = plantedRun();
    const paid = run.map((rollout) => ({
      ...rollout,
      reward:
        rollout.conversation!.calls.reduce((sum, { completionTokens }) => sum + completionTokens!, 0) / 30,
    }));
    expect(await names(paid)).toEqual(['reward_follows_length: warning']);
  });

  it('names tools that nobody calls, and inputs of which every rollout has a finding', async () => {
    const tools = ['look_up', 'send_mail'].map((name) => ({ type: 'function', function: { name } }));
    expect(await names(plantedRun(() => ({ capture: { tools } })))).toEqual(['tool_never_called: note']);
    const broken = await names(
      plantedRun((input) => (input === 2 ? { capture: { finish_reason: 'length' } } : {})),
    );
    expect(broken).toEqual(['cut_off: warning', 'task_always_unhealthy: note']);
  });

  it('names up to three places, and says what to do', async () => {
    const [finding] = await findings(plantedRun((_, member) => (member === 1 ? { last: say('') } : {})));
    expect(finding).toMatchObject({
      check: 'hollow_answer',
      message: '6 of 48 answers (13 %) have neither text nor a call of a tool.',
      places: [
        { id: 'i0#1', call: 2 },
        { id: 'i1#1', call: 2 },
        { id: 'i2#1', call: 2 },
      ],
      nextStep: expect.stringMatching(/template/),
    });
    expect(finding!.rollouts.size).toBe(6);
  });

  it('does not say "never" of a few rollouts', async () => {
    const few = [0, 1, 2].map((member) => plantedRollout(0, member, { first: say(`No ${member}.`) }));
    const { checks } = await checkHealth(few, { purpose: 'training' });
    expect(checks).toContainEqual({
      check: 'tools_never_called',
      state: 'not_observed',
      why: '3 rollouts with tools called none; 8 are needed to say "never"',
    });
    expect(await names(few, { minRollouts: 3 })).toContain('tools_never_called: error');
  });

  it('does not hold against a measurement what only a trainer needs', async () => {
    const measured = plantedRun(() => ({
      capture: { capture: 'text_only', completion_token_ids: [] },
      rows: [],
    }));
    expect(await names(measured, { purpose: 'evaluation' })).toEqual([]);
  });

  it('refuses options that it does not know', async () => {
    await expect(checkHealth([], { maxCutOff: 1 } as HealthOptions)).rejects.toMatchObject({
      code: 'ART_INVALID_OPTION',
    });
    await expect(checkHealth([], { rewardRange: [1, 0] })).rejects.toMatchObject({
      code: 'ART_INVALID_OPTION',
    });
  });
});

describe('checkLogprobGap', () => {
  const rows = [trainingRow('r', 10)];

  it('holds the logprobs of the engine against those of the trainer', () => {
    expect(checkLogprobGap(rows, [Array.from({ length: 10 }, () => -0.51)])).toMatchObject({
      state: 'healthy',
    });
    const shifted = checkLogprobGap(rows, [Array.from({ length: 10 }, (_, at) => (at === 0 ? -4 : -0.5))]);
    expect(shifted).toMatchObject({ state: 'finding', level: 'error', places: [{ id: 'r' }] });
    expect(checkLogprobGap(rows, [Array.from({ length: 10 }, () => Number.NaN)])).toMatchObject({
      state: 'finding',
    });
    expect(checkLogprobGap([], [])).toMatchObject({ state: 'not_observed' });
    expect(() => checkLogprobGap(rows, [[-0.5]])).toThrow(/10 logprobs/);
  });
});
