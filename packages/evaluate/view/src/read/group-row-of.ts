import type { GroupLine } from '@art/eval/records';
import type { GroupRow } from '../report/group-row.ts';

/** A group as far as the page shows it. */
export function groupRowOf({ id: _id, members, ...group }: GroupLine): GroupRow {
  return {
    ...group,
    members: members.map(({ status, reward, advantage, outcome, error }) => ({
      status,
      reward,
      advantage,
      outcome,
      problem: error === null ? null : `${error.code}: ${error.message}`.slice(0, 300),
    })),
  };
}
