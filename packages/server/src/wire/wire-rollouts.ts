import type { FastifyRequest } from 'fastify';
import type { RolloutEnding } from '../document/rollout-ending.ts';
import type { PreparedHandler } from '../handler/prepared-handler.ts';
import { prepareRun, type RunDependencies } from '../rollout/prepare-run.ts';
import type { WireOutcome, WireRollout } from './rollout-wire.ts';

/** How many that have ended are remembered, so that late copies of their requests run nothing. */
const mostRemembered = 1_000;

/** The rollouts of further wires in this process. Each runs once by its id, however many requests ask for it. */
export class WireRollouts {
  readonly #known = new Map<string, Promise<{ ended: Promise<unknown> }>>();
  readonly #ended: string[] = [];

  /**
   * Runs a rollout unless its id is known.
   * @returns what the request is answered with
   * @throws as `prepareRun`, then nothing has begun; in the foreground what the handler threw
   */
  async start(
    wired: WireRollout,
    run: { request: FastifyRequest; payload: Record<string, unknown>; handler: PreparedHandler },
    dependencies: RunDependencies,
  ): Promise<unknown> {
    const { id, background } = wired;
    // Nothing may wait between these two, or equal requests would both get through.
    const begun = this.#known.get(id) ?? this.#begin(wired, run, dependencies);
    const { ended } = await begun;
    return background ? { status: 'processing' } : ended;
  }

  #begin(...begin: Parameters<WireRollouts['start']>): Promise<{ ended: Promise<unknown> }> {
    const { id } = begin[0];
    const beginning = this.#run(...begin);
    this.#known.set(id, beginning);
    // What was refused may be sent again.
    beginning.catch(() => this.#known.delete(id));
    return beginning;
  }

  async #run(
    wired: WireRollout,
    run: { request: FastifyRequest; payload: Record<string, unknown>; handler: PreparedHandler },
    dependencies: RunDependencies,
  ): Promise<{ ended: Promise<unknown> }> {
    const { carried, maxRolloutMs } = wired;
    const open = await wired.open();
    const ended = Promise.withResolvers<unknown>();
    // Nobody need wait for it.
    ended.promise.catch(() => undefined);
    try {
      const rollout = { ...open.rollout, target: undefined };
      const prepared = await prepareRun({ ...run, wire: { rollout, carried, maxRolloutMs } }, dependencies);
      const { log } = prepared.context;
      prepared.start(async (ending, signal) => {
        const outcome = outcomeOf(ending);
        try {
          await open.deliver(outcome, { log, signal });
        } finally {
          if (outcome.kind === 'returned') ended.resolve(outcome.value);
          else ended.reject(outcome.error);
          this.#remember(wired.id);
          await open.close();
        }
      });
      return { ended: ended.promise };
    } catch (error) {
      await open.close();
      throw error;
    }
  }

  #remember(id: string): void {
    this.#ended.push(id);
    if (this.#ended.length > mostRemembered) this.#known.delete(this.#ended.shift()!);
  }
}

function outcomeOf(ending: RolloutEnding): WireOutcome {
  if (ending.kind === 'returned') return ending;
  return { kind: 'failed', error: 'error' in ending ? ending.error : ending.reason };
}
