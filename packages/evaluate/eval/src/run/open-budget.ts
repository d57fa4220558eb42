import { existsSync } from 'node:fs';
import { ArtError } from '@art/ground';
import { type Ceiling, type CeilingUnit, ceilingUnits, readCeiling } from '@art/protocol';
import { RunBudget } from '@art/rollout';
import { readSamples } from '../records/read-samples.ts';
import { runPath } from '../records/run-folder.ts';
import { readRunRecord } from '../records/run-record.ts';
import type { EvaluateOptions } from './evaluate-options.ts';
import type { EvaluatedAgent } from './evaluated-agent.ts';

/**
 * The budget of the ceilings that are given, with what earlier processes have spent; undefined without ceilings.
 * @param folder of the run, or of all that shares the budget
 * @param runs folders of the runs in it
 * @throws ArtError `ART_INVALID_OPTION` for ceilings that cannot be read or counted
 */
export async function openBudget(
  options: Pick<EvaluateOptions, 'ceiling' | 'sampleCeiling' | 'sharedBudget' | 'prices'>,
  agent: EvaluatedAgent,
  folder: string,
  runs: readonly string[] = [folder],
): Promise<RunBudget | undefined> {
  const isRun = existsSync(runPath(folder, 'run'));
  const before = isRun ? await readRunRecord(folder) : undefined;
  const ceiling = readCeiling('ceiling', options.ceiling ?? []);
  const sampleCeiling =
    options.sampleCeiling === undefined
      ? ((before?.options['sampleCeiling'] ?? {}) as Ceiling)
      : readCeiling('sampleCeiling', options.sampleCeiling);
  const isBounded = [ceiling, sampleCeiling].some((one) => Object.keys(one).length > 0);
  if (!isBounded && options.sharedBudget === undefined) return undefined;
  if (agent.capture === undefined || !('budget' in agent.capture))
    throw new ArtError({
      code: 'ART_INVALID_OPTION',
      message:
        'Expected a gateway beside a ceiling, which counts what the agent asks of its model, got none. Give --base-url for an agent on this machine, --gateway for one on AgentCore.',
    });
  if (options.sharedBudget !== undefined) return options.sharedBudget;
  const file = runPath(folder, 'spending');
  const prices = options.prices ?? before?.prices ?? undefined;
  const spent = existsSync(file) ? undefined : await spentBefore(runs, ceiling);
  return new RunBudget({ ceiling, sampleCeiling, prices, modelId: agent.model?.modelId, file, spent });
}

/** Spending of runs while they had no ceiling, by their samples. @throws ArtError where they do not say it */
async function spentBefore(runs: readonly string[], ceiling: Ceiling): Promise<Record<CeilingUnit, number>> {
  const spent = { calls: 0, tokens: 0, seconds: 0, usd: 0 };
  let [from, to] = [Infinity, 0];
  for (const folder of runs.filter((run) => existsSync(runPath(run, 'samples'))))
    for await (const { record } of readSamples(folder)) {
      const { modelCalls, tokens, cost, submittedAtMs, recordedAtMs } = record;
      spent.calls += modelCalls ?? NaN;
      spent.tokens += tokens === null ? NaN : tokens.prompt + tokens.completion;
      spent.usd += cost ?? NaN;
      from = Math.min(from, submittedAtMs ?? recordedAtMs);
      to = Math.max(to, recordedAtMs);
    }
  spent.seconds = Math.max(0, to - from) / 1_000;
  const unknown = ceilingUnits.find((unit) => ceiling[unit] !== undefined && Number.isNaN(spent[unit]));
  if (unknown === undefined) return { ...spent, usd: Number.isNaN(spent.usd) ? 0 : spent.usd };
  throw new ArtError({
    code: 'ART_INVALID_OPTION',
    message: `Expected samples that say how many ${unknown} they took, beside a ceiling of ${unknown}, got some in ${runs.join(', ')} that do not. Begin a new run.`,
  });
}
