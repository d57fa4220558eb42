import { ArtError, describeValue } from '@art/ground';
import { documentRewards } from '@art/protocol';
import type { RolloutTrajectory } from '../gateway/rollout-trajectory.ts';
import type { KeptMember } from './group.ts';

/**
 * The rewards of a member's turns, one for each answer that its agent got. A reward that `fallback` gives to a failed handler belongs to
 * the last turn.
 * @throws ArtError `ART_TURN_REWARDS_MISMATCH` where the agent gave another number of rewards, or the turns have no order
 */
export function turnRewards(
  { outcome, reward }: Pick<KeptMember, 'outcome' | 'reward'>,
  { sessionId, rows, summary }: Pick<RolloutTrajectory, 'sessionId' | 'rows' | 'summary'>,
): number[] {
  const { answeredTurns, parallelTurns, maskedTurns = [] } = summary ?? {};
  const hasPlaces = rows.every((row) => row.turn_spans.every(({ turn }) => turn !== undefined));
  if (answeredTurns === undefined || !hasPlaces)
    refuse(sessionId, 'a gateway that says which turn sampled which tokens', 'one that does not. Update it');
  if (parallelTurns !== undefined && parallelTurns > 0)
    refuse(
      sessionId,
      'model calls one after the other, so that each reward has its turn',
      `${parallelTurns} of ${answeredTurns} that were made while another one was under way. Use credit: 'rollout' for agents that call in parallel`,
    );
  if (outcome.kind !== 'ok')
    return Array.from({ length: answeredTurns }, (_, turn) => (turn === answeredTurns - 1 ? reward : 0));
  const given = documentRewards(outcome.document);
  const rewards: unknown[] = Array.isArray(given) ? given : [given];
  if (rewards.length !== answeredTurns) {
    const masked = maskedTurns.length === 0 ? '' : ` ${maskedTurns.length} turns do not train, but count.`;
    refuse(
      sessionId,
      `a reward for each of ${answeredTurns} turns`,
      `${rewards.length}${Array.isArray(given) ? '' : ', one number'}.${masked} Return \`rewards\` as a list with one number for each answer of the model, in the order of the calls`,
    );
  }
  const wrong = rewards.findIndex((one) => typeof one !== 'number' || !Number.isFinite(one));
  if (wrong !== -1)
    refuse(sessionId, `a finite number as reward of turn ${wrong}`, describeValue(rewards[wrong]));
  if (!Number.isFinite((rewards as number[]).reduce((sum, one) => sum + Math.abs(one), 0)))
    refuse(sessionId, 'rewards whose sum is a finite number', describeValue(rewards));
  return rewards as number[];
}

function refuse(sessionId: string, expected: string, got: string): never {
  throw new ArtError({
    code: 'ART_TURN_REWARDS_MISMATCH',
    message: `Expected ${expected} in rollout ${JSON.stringify(sessionId)}, got ${got}.`,
  });
}
