import { stringifyJson } from '@art/ground';
import type { RolloutEnding } from '../document/rollout-ending.ts';
import { AcceptedRuns } from '../rollout/accepted-runs.ts';
import { prepareRun, type RunDependencies, type HandlerRequest } from '../rollout/prepare-run.ts';
import type { WireOutcome, WireRollout } from './rollout-wire.ts';

/** The rollouts of further wires. Those that have ended are remembered, so that late copies of their requests run nothing. */
export class WireRollouts extends AcceptedRuns<{ ended: Promise<WireOutcome> }> {
  constructor() {
    super(1_000);
  }
}

/**
 * Runs a rollout of a further wire unless its id is known.
 * @returns what the request is answered with
 * @throws as `prepareRun`, then nothing has begun; in the foreground what the handler threw
 */
export async function startWireRollout(
  wired: WireRollout,
  run: HandlerRequest,
  { wireRollouts, ...dependencies }: RunDependencies & { wireRollouts: WireRollouts },
): Promise<string> {
  const { id, background, carried, maxRolloutMs } = wired;
  const { ended } = await wireRollouts.accept(id, async () => {
    const opened = await wired.open();
    try {
      const rollout = { ...opened.rollout, target: undefined };
      const job = await prepareRun({ ...run, wire: { rollout, carried, maxRolloutMs } }, dependencies);
      const { log } = job.context;
      return {
        ended: dependencies.runs.start(job, async (ending, signal) => {
          const outcome = outcomeOf(ending);
          try {
            await opened.deliver(outcome, { log, signal });
          } catch (error) {
            log.error({ err: error }, 'The trainer could not get what became of the rollout');
          }
          wireRollouts.end(id);
          try {
            await opened.close();
          } catch (error) {
            log.error(
              { err: error },
              'What the rollout had open could not be closed; what became of it is not changed by that',
            );
          }
          return outcome;
        }),
      };
    } catch (error) {
      await opened.close();
      throw error;
    }
  });
  if (background) return '{"status":"processing"}';
  const outcome = await ended;
  if (outcome.kind === 'failed') throw outcome.error;
  // The trainer has been told, so what JSON has not must not make a failure of the answer.
  return stringifyJson(outcome.value ?? null, { onNonFinite: () => undefined });
}

function outcomeOf(ending: RolloutEnding): WireOutcome {
  return ending.kind === 'returned'
    ? { kind: 'returned', value: ending.value }
    : { kind: 'failed', error: ending.error };
}
