import { join } from 'node:path';
import { refuseOption } from '@art/ground';
import { aPriceTable, type PriceTable, readCeiling } from '@art/protocol';
import { RunBudget } from '@art/rollout';
import { readOptionJson } from '../arguments/read-option-file.ts';
import type { OpenedJournal } from './open-journal.ts';

/** Options of a command whose rollouts have ceilings. */
export interface CeilingFlags {
  ceiling?: readonly string[] | undefined;
  sampleCeiling?: readonly string[] | undefined;
  prices?: string | undefined;
  modelId?: string | undefined;
}

/**
 * The budget of the ceilings that are given; undefined without any.
 * @param hasGateway whether a gateway counts what agents ask of their model
 * @param file keeps what was spent for a later process
 * @throws ArtError `ART_INVALID_OPTION` for what cannot be read or counted
 */
export function openRunBudget(
  { ceiling, sampleCeiling, prices, modelId }: CeilingFlags,
  cwd: string,
  hasGateway: boolean,
  file?: string,
): RunBudget | undefined {
  if (ceiling === undefined && sampleCeiling === undefined) return undefined;
  if (!hasGateway)
    refuseOption('--ceiling', 'left out without --gateway, which counts what agents ask of their model', [
      ...(ceiling ?? sampleCeiling ?? []),
    ]);
  return new RunBudget({
    ceiling: readCeiling('--ceiling', ceiling ?? []),
    sampleCeiling: readCeiling('--sample-ceiling', sampleCeiling ?? []),
    prices: prices === undefined ? undefined : readPrices(prices, cwd),
    modelId,
    file,
  });
}

export function readPrices(file: string, cwd: string): PriceTable {
  return aPriceTable(readOptionJson('--prices', file, cwd), '--prices');
}

/** Where the spending of a run of a journal is kept: beside its runs. A journal in a store, and no journal, has no such place. */
export function spendingFile(journal: OpenedJournal | undefined, runId: string): string | undefined {
  return journal?.files && join(journal.where, `.${runId}.spending`);
}
