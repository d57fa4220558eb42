import { describeValue, isJsonObject } from '@art/ground';
import { documentRewards, readReward } from '@art/protocol';
import { errorRecord } from '@art/rollout';
import type { ErrorRecord, VerdictRecord } from '@art/trajectories';
import type { Judge, JudgeContext, JudgedSample } from './judge.ts';
import { nameOfJudge } from './run-inputs.ts';
import { readMetrics } from './read-metrics.ts';

/** The judgement of a sample before it counts. */
export type SampleVerdict = Omit<VerdictRecord, 'score'>;

export const unjudged: SampleVerdict = {
  reward: null,
  rewards: null,
  rewardedBy: null,
  judge: null,
  metrics: {},
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
  onUsage?: JudgeContext['onUsage'],
): Promise<SampleVerdict> {
  const own = readMetrics(judged.document['metrics']);
  const remarks: string[] = [];
  let kept: Pick<SampleVerdict, 'keptJudgement'> = {};
  const context: JudgeContext = {
    signal,
    onUsage,
    remark: (text) => remarks.push(text),
    onKept: () => (kept = { keptJudgement: true }),
  };
  try {
    const given: unknown =
      typeof judge === 'function' ? await judge(judged, context) : await judge.compute(judged, context);
    const { reward, metrics } = isJsonObject(given) ? given : { reward: given, metrics: undefined };
    const list: unknown[] = Array.isArray(reward) ? reward : [reward];
    if (list.length === 0 || !list.every((value): value is number => Number.isFinite(value)))
      throw new TypeError(
        `Expected the judge to give a finite number, a list of them, or { reward, metrics }, got ${describeValue(reward)}${isJsonObject(given) ? ' as reward' : ''}.`,
      );
    const judges = readMetrics(metrics);
    return {
      ...unjudged,
      reward: list.at(-1)!,
      rewards: Array.isArray(reward) ? list : null,
      metrics: { ...own.metrics, ...judges.metrics },
      remarks: [...remarks, ...own.problems, ...judges.problems],
      rewardedBy: 'judge',
      judge: nameOfJudge(judge),
      ...kept,
    };
  } catch (error) {
    signal?.throwIfAborted();
    return { ...unjudged, metrics: own.metrics, remarks: own.problems, judgeError: judgeError(error) };
  }
}

/** Why a judge failed. Codes of others than us say nothing to who counts them. */
export function judgeError(error: unknown): ErrorRecord {
  const record = errorRecord(error);
  return record.code === 'unknown' ? { ...record, code: 'judge_failed' } : record;
}

/** By the agent's own reward. */
export function ofAgent(document: Parameters<typeof readReward>[0]): SampleVerdict {
  const { metrics, problems: remarks } = readMetrics(document['metrics']);
  const reading = readReward(document);
  if (reading.reward === undefined) {
    const judgeError: ErrorRecord = {
      code: `reward_${reading.problem.kind}`,
      message: reading.problem.message,
      stack: null,
    };
    return { ...unjudged, metrics, remarks, judgeError };
  }
  const given = documentRewards(document);
  const rewards = Array.isArray(given) && given.every((value) => Number.isFinite(value)) ? given : null;
  return { ...unjudged, reward: reading.reward, rewards, metrics, remarks, rewardedBy: 'agent' };
}
