import type { RecordedRollout } from '@art/trajectories';
import { Tally } from '../result/tally.ts';
import { healthy, notObserved, type HealthCheck } from './health-check.ts';

/** Agents that answer without their model: the gateway's address never reached them, or an error was swallowed. */
export const noModelCalls: HealthCheck = {
  id: 'no_model_calls',
  observe() {
    const silent = new Tally();
    return {
      see(rollout) {
        const count = modelCallsOf(rollout);
        if (rollout.outcome === 'ok' && count !== undefined) silent.see(count === 0, { id: rollout.id });
      },
      judge() {
        if (silent.seen === 0) return notObserved('no gateway saw the calls of rollouts that ended as ok');
        if (silent.hits === 0) return healthy;
        return silent.finding(
          silent.hits === silent.seen ? 'error' : 'warning',
          `${silent.of('rollouts')} ended as ok without one call of a model through the gateway.`,
          'See whether the agent uses the base URL and model id of the rollout, whether it can reach the gateway from where it runs, and whether it catches errors of its model client.',
        );
      },
    };
  },
};

/** Calls that failed, which agents may turn into answers. */
export const modelCallsFailed: HealthCheck = {
  id: 'model_calls_failed',
  observe({ maxFailedCallShare }) {
    const failed = new Tally();
    let isObserved = false;
    return {
      see(rollout) {
        const { id, failedCalls } = rollout;
        if (failedCalls == null) return;
        isObserved = true;
        for (let call = 0; call < failedCalls; call += 1) failed.see(true, { id });
        for (let call = 0; call < (modelCallsOf(rollout) ?? 0); call += 1) failed.see(false, { id });
      },
      judge() {
        if (!isObserved) return notObserved('nobody counted calls that failed');
        if (failed.seen === 0) return notObserved('no model was called');
        if (failed.share <= maxFailedCallShare) return healthy;
        return failed.finding(
          'warning',
          `${failed.of('calls of the model')} failed.`,
          "Look at the gateway's log and at the engine: what the agent made of the errors counts as its answer.",
        );
      },
    };
  },
};

function modelCallsOf({ modelCalls, conversation }: RecordedRollout): number | undefined {
  return modelCalls ?? conversation?.calls.length;
}
