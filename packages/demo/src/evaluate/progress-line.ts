import type { RunProgress } from '@art/client';
import { formatDuration } from './format-duration.ts';

/** How far the evaluation is, on one line. */
export function progressLine(progress: RunProgress, total: number): string {
  const { done, active, outcomes, meanReward, elapsedMs } = progress;
  const failed = done - outcomes.ok;
  const perSecond = elapsedMs > 0 ? done / (elapsedMs / 1_000) : 0;
  const remaining = total - done;
  // The first few rollouts say nothing about the rate yet: they all wait for their sessions.
  const eta = done >= 3 && remaining > 0 ? `, ETA ${formatDuration((remaining / perSecond) * 1_000)}` : '';
  const reward = meanReward === undefined ? '-' : meanReward.toFixed(3);
  return `${done}/${total} done, ${failed} failed, ${active} active, mean reward ${reward}, ${perSecond.toFixed(1)}/s${eta}`;
}
