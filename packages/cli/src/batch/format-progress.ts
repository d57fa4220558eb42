import type { BatchProgress } from '@art/client';

/**
 * "run-7: 120 of 1000 done, 64 active, 100 ok, 20 timeout, mean reward 0.500 over 100 of 120"
 * @param earlier items that earlier processes dealt with
 * @param done rollouts, or groups, that this process has seen the end of
 */
export function formatProgress(
  runId: string,
  { total, earlier, done }: { total: number; earlier: number; done: number },
  { active, outcomes, meanReward, rewarded, done: settled }: BatchProgress,
): string {
  const kinds = Object.entries(outcomes).flatMap(([kind, count]) =>
    count === 0 ? [] : [`${count} ${kind}`],
  );
  const mean =
    meanReward === undefined
      ? []
      : [`mean reward ${meanReward.toPrecision(3)} over ${rewarded} of ${settled}`];
  return [`${runId}: ${earlier + done} of ${total} done`, `${active} active`, ...kinds, ...mean].join(', ');
}
