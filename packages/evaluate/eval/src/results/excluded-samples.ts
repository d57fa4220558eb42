import { isAtLeast } from '@art/ground/figures';
import type { ResultsRecord } from '../records/results-record.ts';
import type { SampleRecord } from '@art/trajectories';
import type { SampleScore } from './task-scores.ts';

/** Why a sample is excluded: its judge failed, its agent gave no reward (`reward_absent` and the like), else its outcome. */
export function exclusionReason(
  outcome: SampleRecord['outcome'],
  judgeErrorCode: string | null | undefined,
): string {
  if (judgeErrorCode == null) return outcome;
  return judgeErrorCode.startsWith('reward_') ? judgeErrorCode : 'judge_failed';
}

/** Counts the samples that have no score. */
export function excludedOf(
  samples: readonly Pick<SampleScore, 'score' | 'outcome' | 'judgeErrorCode'>[],
  limit: number,
): ResultsRecord['excluded'] {
  const byReason: Record<string, number> = {};
  for (const { score, outcome, judgeErrorCode } of samples) {
    const reason = exclusionReason(outcome, judgeErrorCode);
    if (score === null) byReason[reason] = (byReason[reason] ?? 0) + 1;
  }
  return excludedSamples(byReason, samples.length, limit);
}

/** @param limit a number of samples, or a share below 1 */
export function excludedSamples(
  byReason: Record<string, number>,
  recorded: number,
  limit: number,
): ResultsRecord['excluded'] {
  const count = Object.values(byReason).reduce((sum, ofReason) => sum + ofReason, 0);
  return {
    count,
    share: recorded === 0 ? 0 : count / recorded,
    limit,
    isTrusted: isAtLeast(limit < 1 ? limit * recorded : limit, count),
    byReason,
  };
}
