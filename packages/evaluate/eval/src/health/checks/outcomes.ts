import type { RolloutOutcomeKind } from '@art/protocol';
import type { CheckJudgement } from '../result/health-check-result.ts';
import { Tally } from '../result/tally.ts';
import { healthy, notObserved, type HealthCheck } from './health-check.ts';

const ofInfrastructure: readonly RolloutOutcomeKind[] = [
  'lost',
  'throttled',
  'infra_error',
  'timeout',
  'rejected',
  'invalid_result',
];

/** Rollouts that say nothing of the policy. */
export const infrastructureFailures: HealthCheck = {
  id: 'infrastructure_failures',
  observe: ({ maxInfrastructureShare }) =>
    failures(
      (outcome) => ofInfrastructure.includes(outcome),
      maxInfrastructureShare,
      'failed for reasons of the infrastructure',
      'They are excluded, so the figures are those of the rollouts that happened to survive. Mend the cause, then run the excluded ones again.',
    ),
};

/** Rollouts in which the agent itself failed. */
export const agentErrors: HealthCheck = {
  id: 'agent_errors',
  observe: ({ maxAgentErrorShare }) =>
    failures(
      (outcome) => outcome === 'agent_error',
      maxAgentErrorShare,
      'ended as agent_error',
      "Read the error of one. A bug of the agent's own code is no answer of the model.",
    ),
};

function failures(
  isFailure: (outcome: RolloutOutcomeKind) => boolean,
  maxShare: number,
  whatHappened: string,
  nextStep: string,
) {
  const failed = new Tally();
  const reasons = new Map<string, number>();
  return {
    see({
      id,
      outcome,
      error,
    }: {
      id: string;
      outcome: RolloutOutcomeKind;
      error?: { message: string } | null | undefined;
    }) {
      const isHit = isFailure(outcome);
      failed.see(isHit, { id });
      if (!isHit) return;
      const reason = `${outcome}: ${firstLine(error?.message ?? 'no message')}`;
      reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
    },
    judge(): CheckJudgement {
      if (failed.seen === 0) return notObserved('there are no rollouts');
      if (failed.share <= maxShare) return healthy;
      const [reason, count] = [...reasons].toSorted(([, first], [, second]) => second - first)[0]!;
      return failed.finding(
        'error',
        `${failed.of('rollouts')} ${whatHappened}. ${count === failed.hits ? 'All' : count} with "${reason}".`,
        nextStep,
      );
    },
  };
}

function firstLine(message: string): string {
  // Each session has its own id: the same reason would look like many.
  const line = message
    .split('\n', 1)[0]!
    .trim()
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '…');
  return line.length <= 160 ? line : `${line.slice(0, 159)}…`;
}
