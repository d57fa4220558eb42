import { readMember } from '@art/ground';
import type { TrainingRow } from '@art/trajectories';
import { Tally } from '../result/tally.ts';
import { healthy, noCallsObserved, notObserved, type HealthCheck } from './health-check.ts';

/** Calls of which ids or logprobs are missing, so that they cannot train. */
export const captureIncomplete: HealthCheck = {
  id: 'capture_incomplete',
  observe({ purpose, maxIncompleteShare }) {
    const incomplete = new Tally();
    const reasons = new Map<string, number>();
    return {
      see({ id, conversation, rows }) {
        const others = notChosen(rows);
        for (const [at, call] of (conversation?.calls ?? []).entries()) {
          const { captureId, capture, problems, tokens, completionTokens } = call;
          if (capture === null || others.has(captureId)) continue;
          const isCounted = tokens === null || tokens.ids.length === completionTokens;
          // A hosted model gives texts, which is all that a measurement needs.
          const isCaptured = capture === 'complete' || (capture === 'text_only' && purpose === 'evaluation');
          const isWhole = isCaptured && isCounted;
          incomplete.see(!isWhole, { id, call: at + 1 });
          if (isWhole) continue;
          const miscounted = `${tokens?.ids.length} ids, and the engine counted ${completionTokens}`;
          const reason =
            problems[0] ??
            (isCounted ? (capture === 'text_only' ? 'the engine gives no token ids' : capture) : miscounted);
          reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
        }
      },
      judge() {
        if (incomplete.seen === 0) return noCallsObserved;
        if (incomplete.share <= maxIncompleteShare) return healthy;
        const [most = ''] = [...reasons].toSorted(([, first], [, second]) => second - first)[0] ?? [];
        return incomplete.finding(
          purpose === 'training' && incomplete.share > 0.5 ? 'error' : 'warning',
          `${incomplete.of('calls')} were not captured whole. Most often: ${most}.`,
          'Calls that are not whole do not train. See whether the engine returns token ids and logprobs, and whether agents hang up in the middle of answers.',
        );
      },
    };
  },
};

/** Rollouts of which nothing, or too little, reaches the trainer. */
export const nothingTrains: HealthCheck = {
  id: 'nothing_trains',
  observe({ purpose, minTrainedShare }) {
    const empty = new Tally();
    let [sampled, trained] = [0, 0];
    return {
      see({ id, outcome, conversation, rows, trainedTokens }) {
        const masked = trainedTokens ?? (rows && maskedTokens(rows));
        if (outcome !== 'ok' || masked === undefined) return;
        const others = notChosen(rows);
        const ids = (conversation?.calls ?? []).reduce(
          (sum, { captureId, tokens }) => sum + (others.has(captureId) ? 0 : (tokens?.ids.length ?? 0)),
          0,
        );
        // Without the tokens of its calls the rows are all that is known of what was sampled.
        if (conversation !== undefined && ids === 0 && purpose === 'evaluation') return;
        sampled += Math.max(ids, masked);
        trained += masked;
        empty.see(masked === 0, { id });
      },
      judge() {
        if (empty.seen === 0) return notObserved('no training rows are on record');
        const share = sampled === 0 ? 0 : trained / sampled;
        if (empty.hits === 0 && share >= minTrainedShare) return healthy;
        const level = purpose === 'evaluation' ? 'note' : empty.hits === empty.seen ? 'error' : 'warning';
        return empty.finding(
          level,
          empty.hits === 0
            ? `${(share * 100).toFixed(0)} % of the sampled tokens train.`
            : `${empty.of('rollouts')} have no token that trains; of all that was sampled ${(share * 100).toFixed(0)} % train.`,
          'The metadata of the rows name the turns that do not train, and why: drifted prompts, answers that were abandoned, captures that are not whole. Where no rollout has a row, see whether `trains` names the agents, labels and models that there are.',
        );
      },
    };
  },
};

function maskedTokens(rows: readonly TrainingRow[]): number {
  return rows.reduce((sum, row) => sum + row.loss_mask.reduce((total, one) => total + one, 0), 0);
}

/** Captures of turns that the trainer left out on purpose, which are no fault. */
function notChosen(rows: readonly TrainingRow[] = []): ReadonlySet<unknown> {
  // Every row of a rollout has the same list.
  const masked = rows[0]?.metadata['masked_turns'];
  return new Set(
    (Array.isArray(masked) ? masked : [])
      .filter((turn: unknown) => readMember(turn, 'reason') === 'not_chosen')
      .map((turn: unknown) => readMember(turn, 'trace_id')),
  );
}
