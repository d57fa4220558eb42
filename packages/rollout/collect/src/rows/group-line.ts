import { type RolloutRecord, toWireNames } from '@art/trajectories';
import { stringifyJson } from '@art/ground';
import { type Group, groupRecord, type GroupRows, type TrainingRow } from '@art/rollout';
import type { CollectRequest } from '../request/collect-request.ts';
import { formatRows } from './row-format.ts';

/** The name of a group for ever; also its `group_id` in rows. */
export function groupId(requestId: string, index: number): string {
  return `${requestId}-${index}`;
}

/** A settled group as the trainer gets it: one line of JSON without its end. @param rollouts of the group */
export function groupLine(
  group: Group,
  captured: GroupRows,
  rollouts: readonly RolloutRecord[],
  request: CollectRequest,
): string {
  const { schema: _, id: __, members, ...record } = groupRecord(group);
  const { index } = record;
  const memberOf = new Map(
    members.flatMap(({ member, attempts }) => attempts.map(({ sessionId }) => [sessionId, member] as const)),
  );
  const seen = new Map(rollouts.map((rollout) => [rollout.sessionId, rollout]));
  const rowMembers = captured.rows.map(({ rollout_id: id }) => memberOf.get(id) ?? -1);
  const rows = formatRows(captured.rows, { request, groupIndex: index, rowMembers });
  const head = stringifyJson({
    event: 'group',
    id: groupId(request.requestId, index),
    request_id: request.requestId,
    policy_version: request.policyVersion ?? null,
    weight_versions: weightVersions(captured.rows),
    ...(toWireNames(record) as object),
    members: members.map((member) => ({
      ...(toWireNames(member) as object),
      rows: rowMembers.filter((place) => place === member.member).length,
      model_calls: seen.get(member.sessionId)?.modelCalls ?? null,
      failed_calls: seen.get(member.sessionId)?.failedCalls ?? null,
      trained_tokens: seen.get(member.sessionId)?.trainedTokens ?? null,
    })),
    without_rows: captured.without,
    row_format: request.rowFormat,
    row_members: rowMembers,
  });
  // Rows are plain numbers from a checked source and most of the bytes; the strict writer would copy them all.
  return `${head.slice(0, -1)},"rows":${JSON.stringify(rows)}}`;
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
