import type { JsonObject } from '@art/ground';
import type { ObservedRollout } from '../run/observed-rollout.ts';
import { Tally } from '../result/tally.ts';
import { digest } from './digest.ts';
import { healthy, noCallsObserved, notObserved, type HealthCheck } from './health-check.ts';
import { messageText } from './message-text.ts';
import { answers } from './tool-calls.ts';

/** Ids that no two draws give: UUIDs of version 4, and 16 digits of hexadecimal or more. */
const drawnId =
  /\b[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\b|\b(?=[0-9a-f]*[a-f])(?=[0-9a-f]*\d)[0-9a-f]{16,}\b/g;

interface Drawn {
  id: string;
  inputId: string;
  answer: string;
  /** Undefined where nobody recorded them. */
  seeds: string | undefined;
  /** The turns of users after the first answer; undefined where there are none. */
  turns: string | undefined;
  /** Ids that tools and users brought in after the first answer. */
  ids: readonly string[];
}

/**
 * Groups whose members drew the same although the model answered them differently: sessions that were restored from one snapshot go on
 * with the same random generators. It looks at seeds, at the turns of simulated users, and at ids that came from tools and users.
 */
export const groupDrewTheSame: HealthCheck = {
  id: 'group_drew_the_same',
  observe({ purpose }) {
    const rollouts: Drawn[] = [];
    return {
      see(rollout) {
        const drawn = drawnIn(rollout);
        if (drawn !== undefined) rollouts.push(drawn);
      },
      judge() {
        if (rollouts.length === 0) return noCallsObserved;
        const inputs = Map.groupBy(rollouts, ({ inputId }) => inputId);
        const groups = [...inputs.values()].filter((members) => members.length > 1);
        if (groups.length === 0) return notObserved('no group has two rollouts');
        if (!groups.some((members) => members.filter(isDrawn).length > 1))
          return notObserved('no seeds were recorded, and nothing that is drawn came after an answer');
        // A script that says the same for every input draws nothing.
        const areTurnsDrawn = new Set(rollouts.flatMap(({ turns }) => turns ?? [])).size > 1;
        const same = new Tally();
        const kinds = new Set<string>();
        for (const members of groups) {
          const found = sameIn(members, areTurnsDrawn);
          for (const kind of found) kinds.add(kind);
          same.see(found.length > 0, { id: members[0]!.id });
        }
        if (same.hits === 0) return healthy;
        return same.finding(
          purpose === 'training' ? 'warning' : 'note',
          `In ${same.of('groups')} members drew the same ${[...kinds].join(' and ')}, though the model answered differently.`,
          'Look with "art doctor" at what sessions of one snapshot share, and import @art/server/snapshot-safe first in the agent.',
        );
      },
    };
  },
};

function isDrawn({ seeds, turns, ids }: Drawn): boolean {
  return seeds !== undefined || turns !== undefined || ids.length > 0;
}

function sameIn(members: readonly Drawn[], areTurnsDrawn: boolean): string[] {
  const pairs = members.flatMap((one, at) =>
    members.slice(at + 1).flatMap((other) => (one.answer === other.answer ? [] : [[one, other] as const])),
  );
  const isSame = (of: (drawn: Drawn) => string | undefined): boolean =>
    pairs.some(([one, other]) => of(one) !== undefined && of(one) === of(other));
  return [
    ...(isSame(({ seeds }) => seeds) ? ['seeds'] : []),
    ...(areTurnsDrawn && isSame(({ turns }) => turns) ? ["users' turns"] : []),
    ...(pairs.some(([one, other]) => one.ids.some((id) => other.ids.includes(id))) ? ['ids'] : []),
  ];
}

function drawnIn(rollout: ObservedRollout): Drawn | undefined {
  const { conversation, id, inputId } = rollout;
  const said = answers(rollout);
  const [first] = conversation?.calls ?? [];
  if (conversation === undefined || first === undefined) return undefined;
  const seeds = conversation.calls.map(({ seed }) => seed ?? null);
  const known = [
    ...first.prompt.map((index) => conversation.messages[index]!),
    ...said.map(({ message }) => message),
  ];
  const given = JSON.stringify(known);
  const later = conversation.messages.filter(
    (message, index) =>
      !first.prompt.includes(index) && (message['role'] === 'user' || message['role'] === 'tool'),
  );
  const turns = later.filter((message) => message['role'] === 'user').map(messageText);
  return {
    id,
    inputId,
    answer: digest(said.map(({ message }) => withoutCallIds(message))),
    seeds: seeds.every((seed) => seed !== null) ? seeds.join(' ') : undefined,
    turns: turns.length === 0 ? undefined : digest(turns),
    ids: [...new Set(later.flatMap((message) => messageText(message).match(drawnId) ?? []))].filter(
      (drawn) => !given.includes(drawn),
    ),
  };
}

/** The engine makes up the ids of calls, which are no answers. */
function withoutCallIds(message: JsonObject): unknown {
  const calls = message['tool_calls'];
  if (!Array.isArray(calls)) return message;
  return { ...message, tool_calls: calls.map((call) => ({ ...(call as object), id: '' })) };
}
