import { isJsonObject } from '@art/ground';
import { type AgentCheck, lookAt } from '../agent-check.ts';
import type { Seen } from '../finding.ts';
import { isGood, plainAnswer } from '../room/plain-answer.ts';
import { rolloutPair, type RolloutSeen } from '../room/rollout-pair.ts';
import type { Room } from '../room/room.ts';

/**
 * True if an agent answers a rollout as it answers a user, as servers do that AWS's guides write with Express: it knows nothing of
 * rollouts, and whatever else is wrong with them follows from that.
 */
export const isUnaware = async (room: Room): Promise<boolean> => {
  const { rollouts } = await rolloutPair(room);
  const plain = await plainAnswer(room).catch(() => undefined);
  return (
    plain !== undefined &&
    isGood(plain) &&
    rollouts.every(
      ({ answer, text }) =>
        isGood(answer) && text === undefined && !/"processing"|"version"/.test(answer.text),
    )
  );
};

/** True if rollouts fail in the words in which a request of a user fails: that is told there, and once. */
export const failsForUsers = async (room: Room): Promise<boolean> => {
  const plain = await plainAnswer(room).catch(() => undefined);
  const told = isJsonObject(plain?.json) ? plain.json['error'] : undefined;
  if (plain === undefined || isGood(plain) || typeof told !== 'string' || told === '') return false;
  const { rollouts } = await rolloutPair(room);
  return rollouts.every(
    ({ document }) =>
      document?.['status_code'] !== 200 &&
      String(document?.['message'] ?? document?.['stop_reason']).startsWith(told),
  );
};

/** Looks at two concurrent rollouts together. */
export const ofPair = lookAt(rolloutPair);

/** Looks at each of them. */
export const ofEach = (look: (rollout: RolloutSeen) => Seen): AgentCheck['run'] =>
  ofPair(({ rollouts }) => {
    const seen = rollouts.map(look);
    return seen.find(({ verdict }) => verdict !== 'ok') ?? seen[0]!;
  });
