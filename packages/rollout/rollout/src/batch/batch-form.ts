import { readOptions } from '@art/ground';
import { defaultRetryDelayMs, fallbackRules, groupRetryRules } from '../items/failure-policy.ts';
import type { ItemRules } from '../items/item-rules.ts';
import type { OpenItem } from '../items/open-item.ts';
import { withMethods } from '../items/with-methods.ts';
import type { Payload } from '../request/rollout-request.ts';
import type { RunForm, SettledBy } from '../run/open-run.ts';
import type { BatchItem } from './batch-item.ts';
import { checkBatchOptions, type BatchOptions } from './batch-options.ts';

/** A batch: its items have one rollout each. */
export const batchForm = <P extends Payload>(): RunForm<P, BatchOptions<P>, BatchItem> => ({
  kind: 'batch',
  placeholders: { maxConcurrentSessions: 1 },
  check: checkBatchOptions,
  rulesOf: batchRules,
  nameOf: ({ inputId }) => inputId,
  build: toBatchItem,
});

function batchRules<P extends Payload>(options: BatchOptions<P>): ItemRules<P> {
  const { retry, retryDelayMs, sessionId, overrides } = options;
  return {
    size: 1,
    targetSize: 1,
    minSize: 1,
    retries: readOptions('retry', retry ?? {}, groupRetryRules, 'retry.'),
    fallbacks: readOptions('fallback', {}, fallbackRules),
    hedge: undefined,
    retryDelayMs: retryDelayMs ?? defaultRetryDelayMs,
    choose: (payload, { index, attempt }) => ({
      sessionId: sessionId?.(payload, index, attempt),
      overrides: overrides?.(payload, index, attempt),
    }),
    judge: (outcome) =>
      outcome.kind === 'ok'
        ? { kind: 'kept', reward: outcome.reward }
        : { kind: 'failed', cause: outcome.kind, error: outcome.error },
  };
}

function toBatchItem<P extends Payload>(
  { id, index, inputId, attempts: made }: OpenItem<P>,
  { acknowledge }: Pick<SettledBy<BatchOptions<P>>, 'acknowledge'>,
): BatchItem | undefined {
  const last = made.findLast(({ outcome }) => outcome !== undefined);
  const own = last?.toAttempt();
  if (own?.outcome === undefined) return undefined;
  const { attempt, sessionId, invocationId, resultKey, outcome, timings, throttled, resent } = own;
  const { rollout } = last!;
  const ids = { id, index, inputId, sessionId, invocationId, resultKey };
  const attempts = made.map((one) => one.toAttempt()).filter((one) => one !== undefined);
  const item = { ...ids, outcome, timings, attempt, throttled, resent, attempts };
  return withMethods(item, {
    acknowledge,
    trajectory: () => own.trajectory(),
    finished: async () => {
      await rollout?.finished;
      return rollout?.timings ?? timings;
    },
  });
}
