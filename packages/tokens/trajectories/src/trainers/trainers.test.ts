import { describe, expect, it } from 'vitest';
import type { CaptureRecord } from '../captures/capture-record.ts';
import type { TrainingRow } from '../rows/training-row.ts';
import { sampleRow } from '../testing/sample-row.ts';
import { toPrimeRlSample } from './to-prime-rl-sample.ts';
import { toRllmTrajectory } from './to-rllm-trajectory.ts';
import { toSlimeSample } from './to-slime-sample.ts';
import { toSageMakerDatum } from './to-sagemaker-datum.ts';
import { toTinkerDatum } from './to-tinker-datum.ts';
import { toTrlBatch } from './to-trl-batch.ts';
import { toVerlAgentLoopOutputs } from './to-verl-agent-loop-outputs.ts';

const nothingTrains = sampleRow({ loss_mask: [0, 0, 0, 0], logprobs: [0, 0, 0, 0], turn_spans: [] });

describe('toSlimeSample', () => {
  it('has tokens in full, mask and logprobs over the response', () => {
    expect(toSlimeSample(sampleRow(), { index: 5, groupIndex: 2 })).toEqual({
      group_index: 2,
      index: 5,
      prompt: '',
      tokens: [1, 2, 3, 4, 5, 6],
      response: '',
      response_length: 4,
      label: null,
      reward: 1,
      loss_mask: [1, 1, 0, 1],
      weight_versions: ['3', 'step-4'],
      rollout_log_probs: [-0.25, -0.5, 0, -0.125],
      remove_sample: false,
      status: 'completed',
      session_id: 'session',
      rollout_id: 'rollout',
      metadata: { task: 'sum', row_id: 'rollout/0', row_index: 0, row_count: 1, group_id: 'group' },
    });
  });

  it('passes every status on and takes a row without training out of the loss', () => {
    for (const status of ['completed', 'truncated', 'aborted', 'failed'] as const) {
      expect(toSlimeSample(sampleRow({ status })).status).toBe(status);
    }
    expect(toSlimeSample(nothingTrains)).toMatchObject({ remove_sample: true, response_length: 4 });
  });

  it('never leaves the prompt empty', () => {
    const row = sampleRow({
      token_ids: [7, 8],
      prompt_length: 0,
      loss_mask: [0, 1],
      logprobs: [0, -1],
      turn_spans: [{ trace_id: 'a', start: 1, end: 2 }],
    });
    expect(toSlimeSample(row)).toMatchObject({
      tokens: [7, 8],
      response_length: 1,
      loss_mask: [1],
      rollout_log_probs: [-1],
    });
    const allSampled = { ...row, loss_mask: [1, 1], logprobs: [-1, -1] };
    expect(() => toSlimeSample(allSampled)).toThrow(
      expect.objectContaining({ code: 'ART_INVALID_TRAINING_ROW' }),
    );
    expect(() => toSlimeSample({ ...row, token_ids: [], loss_mask: [], logprobs: [] })).toThrow(
      /at least 1 token/,
    );
  });
});

describe('toVerlAgentLoopOutputs', () => {
  it('splits prompt and response and tells the range of weights', () => {
    expect(toVerlAgentLoopOutputs([sampleRow()])[0]).toEqual({
      prompt_ids: [1, 2],
      response_ids: [3, 4, 5, 6],
      response_mask: [1, 1, 0, 1],
      response_logprobs: [-0.25, -0.5, 0, -0.125],
      reward_score: 1,
      num_turns: 2,
      metrics: { generate_sequences: 0, tool_calls: 0 },
      extra_fields: {
        reward_extra_info: {},
        min_global_steps: 3,
        max_global_steps: 4,
        uid: 'group',
        trajectory_id: 'rollout',
        is_last_step: true,
        status: 'completed',
      },
    });
  });

  it('makes a row inert that verl would refuse', () => {
    const output = toVerlAgentLoopOutputs([nothingTrains], { padTokenId: 151_643 })[0]!;
    expect(output).toMatchObject({
      prompt_ids: [1, 2],
      response_ids: [151_643],
      response_mask: [1],
      response_logprobs: [0],
    });
    expect(output.extra_fields).toMatchObject({ inert: true });
    expect(output.extra_fields).not.toHaveProperty('min_global_steps');
  });

  const forked = (rolloutId: string, reward: number | null): TrainingRow[] =>
    [0, 1, 2].map((index) =>
      sampleRow({
        rollout_id: rolloutId,
        row_id: `${rolloutId}/${index}`,
        row_index: index,
        row_count: 3,
        is_last: index === 2,
        reward: index === 2 ? reward : null,
      }),
    );
  const scoresOf = (rows: TrainingRow[]): (number | null)[] =>
    toVerlAgentLoopOutputs(rows).map((output) => output.reward_score);

  it("has the rollout's score on every row, so that verl keeps the scores of the batch", () => {
    expect(scoresOf([...forked('a', 0), ...forked('b', 0.5)])).toEqual([0, 0, 0, 0.5, 0.5, 0.5]);
    // As `reference` has it, or a trainer that scores rows by themselves.
    expect(scoresOf(forked('a', 1).map((row, index) => ({ ...row, reward: index })))).toEqual([0, 1, 2]);
    expect(scoresOf(forked('a', null))).toEqual([null, null, null]);
  });

  it('refuses what would cost the batch its scores', () => {
    expect(() => scoresOf([...forked('a', 1), ...forked('b', null)])).toThrow(
      expect.objectContaining({
        code: 'ART_INVALID_TRAINING_ROW',
        message: expect.stringContaining('none for rollout "b"') as string,
      }),
    );
    expect(() => scoresOf(forked('a', 1).slice(0, 2))).toThrow(/all rows of rollout "a".*"a\/0"/);
  });
});

describe('toRllmTrajectory', () => {
  const capture: CaptureRecord = {
    trace_id: 'a',
    session_id: 's',
    model: 'm',
    messages: [{ role: 'user', content: 'Hi' }],
    prompt_token_ids: [1, 2],
    response_message: { role: 'assistant', content: 'Hello' },
    completion_token_ids: [3, 4],
    logprobs: [-0.25, -0.5],
    routing_matrices: ['AA=='],
    finish_reason: 'stop',
    weight_version: 3,
    latency_ms: 1,
    token_counts: {},
    timestamp: 1,
    metadata: {},
    raw_request: null,
    raw_response: null,
  };

  it('makes a step of each capture that is whole, with the reward on the last', () => {
    const broken = { ...capture, trace_id: 'broken', capture: 'partial' as const };
    const misaligned = { ...capture, trace_id: 'misaligned', logprobs: [-1] };
    const second = { ...capture, trace_id: 'b', completion_token_ids: [6], logprobs: [-0.125] };
    const trajectory = toRllmTrajectory(
      { captures: [capture, broken, misaligned, second] },
      { reward: 0.5, name: 'solver' },
    );
    expect(trajectory).toMatchObject({ name: 'solver', reward: 0.5 });
    expect(trajectory.steps).toEqual([
      {
        prompt_ids: [1, 2],
        response_ids: [3, 4],
        logprobs: [-0.25, -0.5],
        routing_matrices: ['AA=='],
        weight_version: 3,
        chat_completions: [...capture.messages, capture.response_message],
        reward: 0,
        done: false,
      },
      expect.objectContaining({ response_ids: [6], reward: 0.5, done: true }),
    ]);
  });

  it('makes a step of each turn of the rows that trains', () => {
    const { steps, reward } = toRllmTrajectory({ rows: [sampleRow()] });
    expect(reward).toBe(1);
    expect(steps).toMatchObject([
      { prompt_ids: [1, 2], response_ids: [3, 4], logprobs: [-0.25, -0.5], weight_version: 3, done: false },
      { prompt_ids: [1, 2, 3, 4, 5], response_ids: [6], logprobs: [-0.125], reward: 1, done: true },
    ]);
    expect(toRllmTrajectory({ rows: [nothingTrains] }).steps).toEqual([]);
  });

  it('makes no reward up where there is none', () => {
    const { steps, reward } = toRllmTrajectory({ rows: [{ ...sampleRow(), reward: null }] });
    expect(reward).toBeNull();
    expect(steps.map((step) => step.reward)).toEqual([0, null]);
  });
});

describe('toTrlBatch', () => {
  it('has lists that are aligned by row', () => {
    expect(toTrlBatch([sampleRow(), sampleRow({ rollout_id: 'other', reward: null })])).toEqual({
      prompt_ids: [
        [1, 2],
        [1, 2],
      ],
      completion_ids: [
        [3, 4, 5, 6],
        [3, 4, 5, 6],
      ],
      logprobs: [
        [-0.25, -0.5, 0, -0.125],
        [-0.25, -0.5, 0, -0.125],
      ],
      env_mask: [
        [1, 1, 0, 1],
        [1, 1, 0, 1],
      ],
      reward: [1, null],
      rollout_id: ['rollout', 'other'],
      group_id: ['group', 'group'],
      status: ['completed', 'completed'],
    });
  });
});

describe('toPrimeRlSample', () => {
  it('pads everything to the length of the tokens', () => {
    const row = sampleRow({
      advantages: [1, 1, 0, 1],
      routed_experts: { data: 'AAAA', encoding: 'int32_base64', shape: [5, 2, 4] },
    });
    expect(toPrimeRlSample(row, { envName: 'sums' })).toEqual({
      token_ids: [1, 2, 3, 4, 5, 6],
      mask: [false, false, true, true, false, true],
      logprobs: [0, 0, -0.25, -0.5, 0, -0.125],
      temperatures: [1, 1, 0.7, 0.7, 1, 0.9],
      env_name: 'sums',
      advantages: [0, 0, 1, 1, 0, 1],
      routed_experts: { data: 'AAAA', shape: [5, 2, 4], dtype: 'int32' },
    });
  });

  it('leaves out what it cannot say rightly', () => {
    const row = sampleRow({ routed_experts: { data: 'AAAA', encoding: 'npy_base64' } });
    expect(toPrimeRlSample(row, { envName: 'sums' })).toMatchObject({
      advantages: null,
      routed_experts: null,
    });
  });
});

describe('toTinkerDatum', () => {
  it('shifts everything by one', () => {
    expect(toTinkerDatum(sampleRow(), { advantage: 2 })).toEqual({
      model_input: { chunks: [{ type: 'encoded_text', tokens: [1, 2, 3, 4, 5] }] },
      loss_fn_inputs: {
        target_tokens: { data: [2, 3, 4, 5, 6], dtype: 'int64', shape: [5] },
        logprobs: { data: [0, -0.25, -0.5, 0, -0.125], dtype: 'float32', shape: [5] },
        advantages: { data: [0, 2, 2, 0, 2], dtype: 'float32', shape: [5] },
      },
    });
  });

  it('has weights where they are asked for, as SageMaker needs them', () => {
    const { model_input: modelInput, loss_fn_inputs: inputs } = toTinkerDatum(sampleRow(), { advantage: 2 });
    const weights = { data: [0, 1, 1, 0, 1], dtype: 'float32', shape: [5] };
    expect(toTinkerDatum(sampleRow(), { advantage: 2, weights: true }).loss_fn_inputs).toEqual({
      ...inputs,
      weights,
    });
    expect(toSageMakerDatum(sampleRow(), { advantage: 2 })).toEqual({
      modelInput,
      lossFnInputs: { ...inputs, weights },
    });
  });

  it('takes the advantages of the row, where the mask is 1', () => {
    const { loss_fn_inputs } = toTinkerDatum(sampleRow({ advantages: [0.5, 1, 9, -1] }));
    expect(loss_fn_inputs.advantages.data).toEqual([0, 0.5, 1, 0, -1]);
  });

  it('makes up no advantage and no target', () => {
    expect(() => toTinkerDatum(sampleRow())).toThrow(expect.objectContaining({ code: 'ART_INVALID_OPTION' }));
    const short = sampleRow({
      token_ids: [1],
      prompt_length: 1,
      loss_mask: [],
      logprobs: [],
      turn_spans: [],
    });
    expect(() => toTinkerDatum(short, { advantage: 1 })).toThrow(
      expect.objectContaining({ code: 'ART_INVALID_TRAINING_ROW' }),
    );
  });
});

const byTurn = sampleRow({ advantages: [0.5, 0.5, 0, -1] });

it.each<[string, (row: TrainingRow) => unknown]>([
  ['slime', toSlimeSample],
  ['TRL', (row) => toTrlBatch([row])],
  ['verl', (row) => toVerlAgentLoopOutputs([row])],
  ['rllm', (row) => toRllmTrajectory({ rows: [row] })],
])('%s is not given advantages by turn, which it cannot carry', (name, convert) => {
  expect(() => convert(byTurn)).toThrow(`since ${name} cannot carry one by turn, got 0.5 and -1.`);
  expect(() => convert({ ...byTurn, advantages: [0.5, 0.5, 0, 0.5] })).not.toThrow();
});

it('a forked rollout may not be given advantages by turn either, where each row has one', () => {
  const rows = [0, 1].map((index) =>
    sampleRow({
      row_id: `rollout/${index}`,
      row_index: index,
      row_count: 2,
      is_last: index === 1,
      advantages: [index, index, 0, index],
    }),
  );
  expect(() => toTrlBatch(rows)).toThrow('TRL cannot carry');
});

it('tinker and prime-rl carry advantages by turn', () => {
  expect(toTinkerDatum(byTurn).loss_fn_inputs.advantages.data).toEqual([0, 0.5, 0.5, 0, -1]);
  expect(toPrimeRlSample(byTurn, { envName: 'e' }).advantages).toEqual([0, 0, 0.5, 0.5, 0, -1]);
});
