import { documentRewards, readReward } from '@art/protocol';
import type { ErrorRecord, SampleRecord } from '../records/sample-record.ts';
import { errorRecord } from './error-record.ts';
import type { Judge, JudgeContext, JudgedSample } from './judge.ts';

/** What came of judging a sample. */
export type Verdict = Pick<SampleRecord, 'reward' | 'rewards' | 'rewardedBy' | 'remarks' | 'judgeError'>;

export const unjudged: Verdict = {
  reward: null,
  rewards: null,
  rewardedBy: null,
  remarks: [],
  judgeError: null,
};

/**
 * By a judge: of several rewards the last one counts. One that throws, or gives no number, leaves the sample unjudged.
 * @throws the signal's reason: a judge that was interrupted says nothing of the sample
 */
export async function verdictBy(
  judge: Judge,
  judged: JudgedSample,
  signal: AbortSignal | undefined,
): Promise<Verdict> {
  const remarks: string[] = [];
  const context: JudgeContext = { signal, remark: (text) => remarks.push(text) };
  try {
    const given: unknown =
      typeof judge === 'function' ? await judge(judged, context) : await judge.compute(judged, context);
    const list: unknown[] = Array.isArray(given) ? given : [given];
    if (list.length === 0 || !list.every((value): value is number => Number.isFinite(value)))
      throw new TypeError(
        `Expected the judge to give a finite number or a list of them, got ${String(given)}.`,
      );
    const rewards = Array.isArray(given) ? list : null;
    return { ...unjudged, reward: list.at(-1)!, rewards, remarks, rewardedBy: 'judge' };
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
  const rewards = Array.isArray(given) && given.every((value) => Number.isFinite(value)) ? given : null;
  return { ...unjudged, reward: reading.reward, rewards, rewardedBy: 'agent' };
}
