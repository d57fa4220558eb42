import {
  toPrimeRlSample,
  toRllmTrajectory,
  toSlimeSample,
  toSageMakerDatum,
  toTinkerDatum,
  toTrlBatch,
  toVerlAgentLoopOutputs,
  type TrainingRow,
} from '@art/trajectories';
import type { CollectRequest } from '../request/collect-request.ts';

/** Facts that the shapes need besides the rows. */
export interface FormatContext {
  request: Pick<CollectRequest, 'rowFormat' | 'rolloutsPerInput' | 'envName' | 'padTokenId'>;
  /** Position of the group's input. */
  groupIndex: number;
  /** The member that each row is of. */
  rowMembers: readonly number[];
}

/**
 * Rows in the shape of a trainer: a list with an item for each row; for `trl` an object of such lists, for `rllm` a list of
 * trajectories, one for each member that has rows.
 */
export function formatRows(rows: readonly TrainingRow[], context: FormatContext): unknown {
  const { request, groupIndex, rowMembers } = context;
  switch (request.rowFormat) {
    case 'art':
      return rows;
    case 'trl':
      return toTrlBatch(rows);
    case 'verl':
      return toVerlAgentLoopOutputs(rows, { padTokenId: request.padTokenId });
    case 'slime':
      return rows.map((row, place) =>
        toSlimeSample(row, { groupIndex, index: groupIndex * request.rolloutsPerInput + rowMembers[place]! }),
      );
    case 'rllm':
      return byMember(rows, rowMembers).map((own) => toRllmTrajectory({ rows: own }));
    case 'prime-rl':
      return rows.map((row) => toPrimeRlSample(row, { envName: request.envName }));
    case 'tinker':
      return rows.map((row) => toTinkerDatum(row));
    case 'sagemaker':
      return rows.map((row) => toSageMakerDatum(row));
  }
}

function byMember(rows: readonly TrainingRow[], rowMembers: readonly number[]): TrainingRow[][] {
  const groups = Map.groupBy(rows.entries(), ([place]) => rowMembers[place]!);
  return Array.from(groups.values(), (entries) => entries.map(([, row]) => row));
}
