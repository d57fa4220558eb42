import {
  toPrimeRlSample,
  toRllmTrajectory,
  toSlimeSample,
  toTinkerDatum,
  toTrlBatch,
  toVerlAgentLoopOutputs,
  type TraceRecord,
  type TrainingRow,
  type Trace,
  toTraceRecord,
} from '@art/trajectories';
import { parseJson } from '@art/protocol';
import { InvalidField } from '../request-object.ts';

/** The shapes in which the rows of a trajectory can be had; `records` and `rows` are the common row. */
export const trainerFormats = [
  'records',
  'rows',
  'slime',
  'verl',
  'rllm',
  'trl',
  'prime',
  'tinker',
  'traces',
] as const;
export type TrainerFormat = (typeof trainerFormats)[number];

/** @param value undefined or null: `records`. @throws InvalidField */
export function readTrainerFormat(value: unknown): TrainerFormat {
  const format = trainerFormats.find((known) => known === (value ?? 'records'));
  if (format !== undefined) return format;
  throw new InvalidField('format', trainerFormats.map((known) => JSON.stringify(known)).join(', '), value);
}

/** What a format needs to know beside the rows. */
export interface FormatSource {
  rows: readonly TrainingRow[];
  /** Of the calls that the rows are made of. */
  traces: () => Promise<readonly Trace[]>;
  /** prime-rl's name of the environment. */
  envName: string;
}

/**
 * Rows in the shape of a trainer, one record for each row; rllm and TRL have one record for all of them.
 * tinker wants an advantage for every token: the reward stands in for it, as a trainer has no group yet here. A step of rllm
 * is a call: of several choices it has the first.
 */
export async function inTrainerFormat(
  format: TrainerFormat,
  { rows, traces, envName }: FormatSource,
): Promise<readonly unknown[]> {
  switch (format) {
    case 'records':
    case 'rows':
      return rows;
    case 'slime':
      return rows.map((row, index) => toSlimeSample(row, { index }));
    case 'verl':
      return toVerlAgentLoopOutputs(rows);
    case 'trl':
      return [toTrlBatch(rows)];
    case 'prime':
      return rows.map((row) => toPrimeRlSample(row, { envName }));
    case 'tinker': {
      const advantage = rewardOf(rows);
      return rows.map((row) => {
        if (row.advantages !== undefined) return toTinkerDatum(row);
        if (advantage === null)
          throw new InvalidField('reward', 'a finite number, which stands in for the advantage', advantage);
        return toTinkerDatum(row, { advantage });
      });
    }
    case 'rllm':
      return [
        toRllmTrajectory(
          { traces: (await traces()).filter(({ choiceIndex }) => choiceIndex === 0).map(toRecord) },
          { reward: rewardOf(rows) },
        ),
      ];
    case 'traces':
      return (await traces()).map(toRecord);
  }
}

function rewardOf(rows: readonly TrainingRow[]): number | null {
  return rows.find((row) => row.is_last)?.reward ?? null;
}

function toRecord(trace: Trace): TraceRecord {
  return parseJson(toTraceRecord(trace)) as unknown as TraceRecord;
}
