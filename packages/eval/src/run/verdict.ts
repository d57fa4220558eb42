import { documentRewards, readReward } from '@art/protocol';
import type { ErrorRecord, SampleRecord } from '../records/sample-record.ts';
import { errorRecord } from './error-record.ts';
import { type Judge, type Judgement, judgeSample } from './judge.ts';

/** What came of judging a sample. */
export type Verdict = Pick<SampleRecord, 'reward' | 'rewards' | 'rewardedBy' | 'remarks' | 'judgeError'>;

export const unjudged: Verdict = {
  reward: null,
  rewards: null,
  rewardedBy: null,
  remarks: [],
  judgeError: null,
};

/** @throws the signal's reason: a judge that was interrupted says nothing of the sample */
export async function verdictBy(
  judge: Judge,
  judged: Parameters<typeof judgeSample>[1],
  signal: AbortSignal | undefined,
): Promise<Verdict> {
  try {
    const judgement: Judgement = await judgeSample(judge, judged, signal);
    return { ...unjudged, ...judgement, rewardedBy: 'judge' };
  } catch (error) {
    signal?.throwIfAborted();
    return { ...unjudged, judgeError: errorRecord(error) };
  }
}

/** By the agent's own reward. */
export function ofAgent(document: Parameters<typeof readReward>[0]): Verdict {
  const reading = readReward(document);
  if (reading.reward === undefined) {
    const judgeError: ErrorRecord = {
      code: `reward_${reading.problem.kind}`,
      message: reading.problem.message,
      stack: null,
    };
    return { ...unjudged, judgeError };
  }
  const given = documentRewards(document);
  const rewards = Array.isArray(given) && given.every((value) => typeof value === 'number') ? given : null;
  return { ...unjudged, reward: reading.reward, rewards, rewardedBy: 'agent' };
}
