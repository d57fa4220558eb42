import type { ResultsRecord } from '../records/results-record.ts';

/** Advice by the reason for which most samples are excluded. */
const advice: Record<string, string> = {
  infra_error:
    'Their handlers say that what they need has failed, such as the model, a quota or the disk: look at the error of one.',
  lost: 'Their sessions have ended without a result: look at the log of one for a crash, or for too little memory.',
  throttled: 'The runtime had no room for them: lower the concurrency, or ask for a higher quota.',
  rejected: 'The runtime has refused them: look at the error of one.',
  invalid_result: 'What they have stored is no result: look at the error of one.',
  agent_error: 'The agent itself has failed on them: look at the error of one.',
  ceiling: 'They wanted more than --sample-ceiling allows: look at one, or raise it.',
  timeout: 'They took longer than they may: look at one, or allow more time.',
};

const adviceOnRewards =
  'Their agent gave no reward that is a number: mend it and begin a new run, or judge what is written down with "art rescore".';

const adviceOnJudges =
  'They have results, and their judge failed. "art eval --resume" judges them again, and runs none of them again. A judge that has to be mended judges the whole run: "art rescore".';

/** Why samples are excluded, and what to do about it, for a person; undefined where none is. */
export function excludedText(
  { count, byReason, limit, isTrusted }: ResultsRecord['excluded'],
  recorded: number,
): string | undefined {
  const reasons = Object.entries(byReason).toSorted(([, first], [, second]) => second - first);
  const [most] = reasons;
  if (most === undefined) return undefined;
  return [
    `${count} of ${recorded} samples could not be judged and are in no figure: ${reasons.map(([reason, ofReason]) => `${ofReason} ${reason}`).join(', ')}.`,
    ...(isTrusted
      ? []
      : [`That is more than ${limit < 1 ? `${limit * 100} %` : limit}: the figures are not to be trusted.`]),
    advice[most[0]] ?? (most[0].startsWith('reward_') ? adviceOnRewards : adviceOnJudges),
  ].join(' ');
}
