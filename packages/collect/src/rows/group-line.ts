import { type RolloutOutcome, stringifyJson } from '@art/protocol';
import type { Group, GroupRows, TrainingRow } from '@art/rollout';
import type { CollectRequest } from '../request/collect-request.ts';
import { formatRows } from './row-format.ts';

/** The name of a group for ever; also its `group_id` in rows. */
export function groupId(requestId: string, index: number): string {
  return `${requestId}-${index}`;
}

/** A settled group as the trainer gets it: one line of JSON without its end. */
export function groupLine(group: Group, captured: GroupRows, request: CollectRequest): string {
  const { index, kind, usable, rewards, meanReward, advantages, missing, elapsedMs } = group;
  const everyone = [...group.members, ...group.leftOut].toSorted((a, b) => a.member - b.member);
  const memberOf = new Map(
    everyone.flatMap(({ member, attempts }) => attempts.map(({ sessionId }) => [sessionId, member] as const)),
  );
  const rowMembers = captured.rows.map(({ rollout_id: id }) => memberOf.get(id) ?? -1);
  const rows = formatRows(captured.rows, { request, groupIndex: index, rowMembers });
  const head = stringifyJson({
    event: 'group',
    id: groupId(request.requestId, index),
    request_id: request.requestId,
    index,
    kind,
    usable,
    policy_version: request.policyVersion ?? null,
    weight_versions: weightVersions(captured.rows),
    mean_reward: meanReward ?? null,
    rewards: rewards.map(orNull),
    advantages: advantages?.map(orNull) ?? null,
    missing,
    elapsed_ms: Math.round(elapsedMs),
    members: everyone.map((member) => memberLine(member, rowMembers)),
    without_rows: captured.without,
    row_format: request.rowFormat,
    row_members: rowMembers,
  });
  // Rows are plain numbers from a checked source and most of the bytes; the strict writer would copy them all.
  return `${head.slice(0, -1)},"rows":${JSON.stringify(rows)}}`;
}

type Member = Group['members'][number] | Group['leftOut'][number];

function memberLine(member: Member, rowMembers: readonly number[]): object {
  const { member: number, status, attempts } = member;
  const attempt = 'attempt' in member ? member.attempt : attempts.at(-1);
  const outcome = 'outcome' in member ? member.outcome : attempt?.outcome;
  return {
    member: number,
    status,
    outcome: outcome?.kind ?? null,
    error: errorOf(outcome),
    reward: 'reward' in member ? orNull(member.reward) : null,
    advantage: 'advantage' in member ? orNull(member.advantage) : null,
    weight: 'weight' in member ? member.weight : 0,
    session_id: attempt?.sessionId ?? null,
    attempts: attempts.length,
    rows: rowMembers.filter((place) => place === number).length,
  };
}

function errorOf(outcome: RolloutOutcome | undefined): object | null {
  if (outcome === undefined || outcome.kind === 'ok') return null;
  return { code: outcome.error.code, message: outcome.error.message };
}

/** The oldest and the newest weights that may have sampled something of the rows; null where nobody said. */
function weightVersions(rows: readonly TrainingRow[]): { oldest: number; newest: number } | null {
  let [oldest, newest] = [Infinity, -Infinity];
  for (const row of rows) {
    for (const {
      weight_version: version,
      weight_version_range: range,
      weight_versions: told,
    } of row.turn_spans) {
      const spans = (told ?? []).map((span) => Number(span.version));
      for (const one of [version, range?.oldest, range?.newest, ...spans]) {
        if (!Number.isSafeInteger(one)) continue;
        oldest = Math.min(oldest, one!);
        newest = Math.max(newest, one!);
      }
    }
  }
  return oldest === Infinity ? null : { oldest, newest };
}

function orNull(value: number | undefined): number | null {
  return value ?? null;
}
