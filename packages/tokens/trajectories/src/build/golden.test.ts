import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { buildTrajectory } from './build-trajectory.ts';
import { aCapture } from '../testing/scripted-captures.ts';

interface Vector {
  turns: {
    messages: object[];
    response: object;
    prompt: number[];
    output: number[];
    finish_reason: string;
  }[];
  rows: {
    token_ids: number[];
    loss_mask: number[];
    logprobs: number[];
    reward: number;
    truncated: boolean;
  }[];
}

const vectors = JSON.parse(readFileSync(new URL('golden/golden.json', import.meta.url), 'utf8')) as Vector[];

// The released toolkit begins a new row wherever tokens drift, and merges no rewritten answers: thresholds of 0.
const options = { mode: 'reference', forkThresholdTokens: 0, reward: 0.5 } as const;

describe('rows of the Python toolkit 0.2.0', () => {
  it.each(vectors.map((vector, index) => ({ index, ...vector })))('session $index', ({ turns, rows }) => {
    const captures = turns.map((turn, index) =>
      aCapture({
        captureId: `t${index}`,
        prompt: turn.prompt,
        output: turn.output,
        messages: turn.messages,
        response: turn.response,
        finishReason: turn.finish_reason,
      }),
    );
    const made = buildTrajectory(captures, options).rows.map((row) => ({
      token_ids: row.token_ids,
      loss_mask: row.loss_mask,
      logprobs: row.logprobs,
      reward: row.reward,
      truncated: row.metadata['truncated'],
    }));
    expect(made).toEqual(rows);
  });
});
