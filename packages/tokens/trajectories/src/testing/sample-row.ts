import type { TrainingRow } from '../rows/training-row.ts';

/** Two turns: prompt 1 2, sampled 3 4, bridge 5, sampled 6. */
export function sampleRow(changes: Partial<TrainingRow> = {}): TrainingRow {
  return {
    schema: 'art.training-row.v1',
    row_id: 'rollout/0',
    session_id: 'session',
    rollout_id: 'rollout',
    group_id: 'group',
    row_index: 0,
    row_count: 1,
    is_last: true,
    token_ids: [1, 2, 3, 4, 5, 6],
    prompt_length: 2,
    loss_mask: [1, 1, 0, 1],
    logprobs: [-0.25, -0.5, 0, -0.125],
    reward: 1,
    status: 'completed',
    finish_reason: 'stop',
    num_turns: 2,
    turn_spans: [
      { trace_id: 'a', start: 0, end: 2, temperature: 0.7, weight_version: 3 },
      {
        trace_id: 'b',
        start: 3,
        end: 4,
        temperature: 0.9,
        weight_version: 4,
        weight_versions: [{ version: 'step-4', start: 0, end: 1 }],
      },
    ],
    model: 'a-model',
    created_at: 1_700_000_000_000,
    metadata: { task: 'sum' },
    ...changes,
  };
}
