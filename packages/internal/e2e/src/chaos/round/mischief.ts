import { setTimeout as sleep } from 'node:timers/promises';
import type { ChaosRuntime } from '../processes/chaos-runtime.ts';
import { SeededRandom } from '../seeded-random.ts';
import { chaosFaultPlan } from './fault-plans.ts';

export interface MischiefOptions {
  seed: number;
  round: number;
  runtime: ChaosRuntime;
  /** Kinds of faults at a time, of sessions and of the store each, least and most. */
  faultsAtATime: readonly [number, number];
  /** Pause between two kills of an agent, least and most, in milliseconds. */
  agentKillEveryMs: readonly [number, number];
  /** Pause between two kills of the runtime, least and most, in milliseconds. */
  runtimeKillEveryMs: readonly [number, number];
  onAgentKilled: () => void;
}

/** Disturbs the runtime and its agents until the signal aborts; resolves when nothing more is done. */
export async function doMischief(options: MischiefOptions, signal: AbortSignal): Promise<void> {
  const { seed, round, runtime, faultsAtATime, agentKillEveryMs, runtimeKillEveryMs, onAgentKilled } =
    options;
  await Promise.all([
    repeatedly(new SeededRandom(seed, 'plans', round), [2_000, 6_000], signal, (step) =>
      runtime.setFaults(chaosFaultPlan(seed, round, step, faultsAtATime)),
    ),
    repeatedly(new SeededRandom(seed, 'agents', round), agentKillEveryMs, signal, async (step, random) => {
      if (step > 0 && (await runtime.killAgent(random)) !== undefined) onAgentKilled();
    }),
    repeatedly(new SeededRandom(seed, 'runtime', round), runtimeKillEveryMs, signal, async (step) => {
      if (step > 0) await runtime.killAndRestart();
    }),
  ]);
}

async function repeatedly(
  random: SeededRandom,
  [least, most]: readonly [number, number],
  signal: AbortSignal,
  work: (step: number, random: SeededRandom) => Promise<void>,
): Promise<void> {
  for (let step = 0; !signal.aborted; step += 1) {
    await work(step, random);
    await sleep(random.integer(least, most), undefined, { signal }).catch(() => undefined);
  }
}
