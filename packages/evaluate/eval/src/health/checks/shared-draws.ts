import { isJsonObject, type JsonObject, jsonIn } from '@art/ground';
import type { RecordedRollout } from '@art/trajectories';
import { Tally } from '../result/tally.ts';
import { digest } from './digest.ts';
import { drawnIds, isDrawnNumber } from './drawn-ids.ts';
import { healthy, noCallsObserved, notObserved, type HealthCheck } from './health-check.ts';
import { messageText } from './message-text.ts';
import { answers } from './tool-calls.ts';

const mostIds = 500;

type Leaf = string | number | bigint;

interface Drawn {
  id: string;
  inputId: string;
  answer: string;
  /** Undefined where nobody recorded them. */
  seeds: string | undefined;
  /** The turns of users after the first answer; undefined where there are none. */
  turns: string | undefined;
  /** Ids that tools and users brought in after the first answer. */
  ids: ReadonlySet<string>;
  /** Ids and long numbers that first came up in the arguments of a tool. */
  args: ReadonlySet<string>;
  /** Ids of the result document that are nowhere else; undefined where nobody kept the document. */
  stored: ReadonlySet<string> | undefined;
}

/**
 * Groups whose members drew the same although the model answered them differently: sessions that were restored from one snapshot continue
 * with the same random generators. It looks at seeds, at the turns of simulated users, and at ids that came from tools and users, stand in
 * arguments of tools, or in the result documents. What the payload or the first prompt has, nobody drew.
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
          return notObserved(
            rollouts.some(({ stored }) => stored !== undefined)
              ? 'no seeds were recorded, and nothing that is drawn came after an answer'
              : 'no seeds and no documents were recorded, and nothing that is drawn came after an answer',
          );
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
          'Look with "art doctor" at what sessions of one snapshot share, and import @art/server/snapshot-safe first in the agent. Ids of data that all members read are no fault.',
        );
      },
    };
  },
};

function isDrawn({ seeds, turns, ids, args, stored }: Drawn): boolean {
  return (
    seeds !== undefined || turns !== undefined || ids.size > 0 || args.size > 0 || (stored?.size ?? 0) > 0
  );
}

function sameIn(members: readonly Drawn[], areTurnsDrawn: boolean): string[] {
  const pairs = members.flatMap((one, at) =>
    members.slice(at + 1).flatMap((other) => (one.answer === other.answer ? [] : [[one, other] as const])),
  );
  const isSame = (of: (drawn: Drawn) => string | undefined): boolean =>
    pairs.some(([one, other]) => of(one) !== undefined && of(one) === of(other));
  const isShared = (of: (drawn: Drawn) => ReadonlySet<string> | undefined): boolean =>
    pairs.some(([one, other]) => [...(of(one) ?? [])].some((value) => of(other)?.has(value)));
  return [
    ...(isSame(({ seeds }) => seeds) ? ['seeds'] : []),
    ...(areTurnsDrawn && isSame(({ turns }) => turns) ? ["users' turns"] : []),
    ...(isShared(({ ids }) => ids) ? ['ids'] : []),
    ...(isShared(({ args }) => args) ? ['arguments of tools'] : []),
    ...(isShared(({ stored }) => stored) ? ['ids in documents'] : []),
  ];
}

function drawnIn(rollout: RecordedRollout): Drawn | undefined {
  const { conversation, id, inputId, sessionId, payload, document } = rollout;
  const said = answers(rollout);
  const [first] = conversation?.calls ?? [];
  if (conversation === undefined || first === undefined) return undefined;
  const seeds = conversation.calls.map(({ seed }) => seed ?? null);
  const prompt = new Set(first.prompt);
  const later = conversation.messages.filter((_, index) => !prompt.has(index));
  const turns = later.filter((message) => message['role'] === 'user').map(messageText);
  const given = leavesOf([
    inputId,
    sessionId,
    payload,
    document?.['payload'],
    first.tools,
    first.prompt.map((index) => conversation.messages[index]),
  ]).join('\n');
  const known = new Set<string>();
  // Where an id comes up first it was made up; from there on anybody may repeat it.
  const isNew = (value: string): boolean => {
    if (known.has(value) || given.includes(value)) return false;
    known.add(value);
    return true;
  };
  const ids: string[] = [];
  const args: string[] = [];
  for (const message of later) {
    if (message['role'] === 'user' || message['role'] === 'tool')
      ids.push(...idsOf(messageText(message)).filter(isNew));
    else args.push(...argumentsOf(message).filter(isNew));
    for (const value of leavesOf(message).flatMap(drawnOf)) known.add(value);
  }
  const stored = document == null ? undefined : leavesOf(document).flatMap(idsOf).filter(isNew);
  return {
    id,
    inputId,
    answer: digest(said.map(({ message }) => withoutCallIds(message))),
    seeds: seeds.every((seed) => seed !== null) ? seeds.join(' ') : undefined,
    turns: turns.length === 0 ? undefined : digest(turns),
    ids: new Set(ids.slice(0, mostIds)),
    args: new Set(args.slice(0, mostIds)),
    stored: stored && new Set(stored.slice(0, mostIds)),
  };
}

/** The engine makes up the ids of calls, which are no answers. */
function withoutCallIds(message: JsonObject): unknown {
  const calls = message['tool_calls'];
  if (!Array.isArray(calls)) return message;
  return { ...message, tool_calls: calls.map((call) => ({ ...(call as object), id: '' })) };
}

function argumentsOf(message: JsonObject): string[] {
  const calls: unknown[] = Array.isArray(message['tool_calls']) ? message['tool_calls'] : [];
  return calls.flatMap((call) => {
    const { arguments: written } =
      isJsonObject(call) && isJsonObject(call['function']) ? call['function'] : {};
    return leavesOf(typeof written === 'string' ? jsonIn(written, written) : written).flatMap(drawnOf);
  });
}

function idsOf(leaf: Leaf): string[] {
  return typeof leaf === 'string' ? drawnIds(leaf) : [];
}

/** Only a number that is a value: within a text it may be part of anything. */
function drawnOf(leaf: Leaf): string[] {
  return isDrawnNumber(leaf) ? [String(leaf)] : idsOf(leaf);
}

/** Every name, text and number of a JSON value, in its order. A stack of its own: documents may be nested deeper than calls. */
function leavesOf(value: unknown): Leaf[] {
  const leaves: Leaf[] = [];
  const waiting = [value];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (typeof next === 'string' || typeof next === 'number' || typeof next === 'bigint') leaves.push(next);
    else if (Array.isArray(next)) for (const part of next.toReversed()) waiting.push(part);
    else if (isJsonObject(next))
      for (const [name, part] of Object.entries(next).toReversed()) waiting.push(part, name);
  }
  return leaves;
}
