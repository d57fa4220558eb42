import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { takePort } from '@art/local';
import { SeededRandom } from '../../chaos/seeded-random.ts';
import { echoShape } from '../played-training.ts';
import { appliedTwice } from './evidence/step-lineage.ts';
import { checkpointsOf, journalOf, sessionsLeft } from './evidence/round-files.ts';
import { KillableProcess } from './killable-process.ts';
import type { ServiceTask } from './service-process.ts';
import type { TrainingTask } from './training-process.ts';

export interface TrainChaosOptions {
  seed: number;
  /** How often a process is killed, in all. */
  instants: number;
  onProgress?: ((line: string) => void) | undefined;
  signal?: AbortSignal | undefined;
}

export interface TrainChaosReport {
  rounds: number;
  /** How often each was killed. */
  killed: { trainer: number; service: number };
  violations: string[];
}

const steps = 9;
/** Calls of about half of a run of nine steps that nobody disturbs. */
const mostCalls = 150;
const killsPerRound = 5;

/**
 * Kills the process of the loop, or that of the training service, at calls that the seed chooses, and starts both again, until the run is made.
 * What is left of each round has to be what a run leaves that nobody disturbed.
 */
export async function runTrainChaos(options: TrainChaosOptions): Promise<TrainChaosReport> {
  const { seed, instants, onProgress = () => undefined, signal } = options;
  const random = new SeededRandom(seed, 'train');
  const report: TrainChaosReport = { rounds: 0, killed: { trainer: 0, service: 0 }, violations: [] };
  const kills = (): number => report.killed.trainer + report.killed.service;
  const undisturbed = await playRound(() => undefined, signal);
  report.violations.push(...undisturbed.violations.map((violation) => `undisturbed: ${violation}`));
  while (kills() < instants && report.violations.length === 0) {
    const first = kills();
    const orders: string[] = [];
    const round = await playRound(() => {
      if (kills() >= instants || kills() - first >= killsPerRound) return undefined;
      const victim = random.pick<Kill['victim']>(['trainer', 'service']);
      const calls = random.integer(1, mostCalls);
      const isAfter = random.chance(0.5);
      orders.push(`${victim} ${isAfter ? 'after' : 'at'} call ${calls}`);
      return { victim, calls, isAfter, killed: () => (report.killed[victim] += 1) };
    }, signal);
    report.rounds += 1;
    const wrong = [...round.violations];
    if (round.digest !== undisturbed.digest)
      wrong.push('the last weights are not those of an undisturbed run');
    report.violations.push(
      ...wrong.map((violation) => `round ${report.rounds} (${orders.join(', ')}): ${violation}`),
    );
    onProgress(
      `${kills()} of ${instants} instants, ${report.rounds} rounds, ${report.violations.length} violations`,
    );
  }
  return report;
}

interface Kill {
  victim: 'trainer' | 'service';
  calls: number;
  isAfter: boolean;
  killed: () => void;
}

interface RoundEnd {
  violations: string[];
  /** Digest of weights and optimizer after the last step. */
  digest: string;
}

async function playRound(next: () => Kill | undefined, signal?: AbortSignal): Promise<RoundEnd> {
  const root = await mkdtemp(join(tmpdir(), 'art-train-chaos-'));
  const directory = join(root, 'run');
  const violations: string[] = [];
  let isOver = false;
  const service = startService(root, await takePort());
  const endpoint = await service.start();
  const trainer = new KillableProcess<TrainingTask>('training-process.ts', { endpoint, directory, steps });
  try {
    for (;;) {
      signal?.throwIfAborted();
      const kill = next();
      trainer.begin();
      let restarted: Promise<unknown> = Promise.resolve();
      if (kill !== undefined) {
        const { victim, calls, isAfter } = kill;
        service.send({ calls, isAfter, pid: victim === 'trainer' ? trainer.pid : undefined });
        restarted = service.exited.then(() => {
          // A service that comes back has forgotten its sessions, and kept what they saved.
          return victim === 'service' && !isOver ? service.start() : undefined;
        });
      }
      const [code] = await trainer.exited;
      const isServiceGone = !service.isRunning;
      if (kill?.victim === 'service' && (isServiceGone || code !== 0)) await restarted;
      if (code === 0) break;
      kill?.killed();
      if (code === null && kill?.victim === 'trainer') continue;
      const said = trainer.errors;
      if (kill?.victim !== 'service' || !/ART_[A-Z_]+/.test(said)) {
        violations.push(`the loop ended with ${code} and said: ${said.slice(-600)}`);
        break;
      }
    }
    violations.push(...(await leftovers(root, directory, service)));
    return { violations, digest: violations.length > 0 ? '' : digestOf(root, directory) };
  } finally {
    isOver = true;
    await trainer.kill();
    await service.kill();
    await rm(root, { recursive: true, force: true, maxRetries: 10 });
  }
}

/** @param port bound again after each kill */
function startService(root: string, port: number): KillableProcess<ServiceTask> {
  return new KillableProcess('service-process.ts', {
    directory: join(root, 'service'),
    port,
    shape: echoShape,
  });
}

/** Things that a round must not leave. */
async function leftovers(
  root: string,
  directory: string,
  service: KillableProcess<ServiceTask>,
): Promise<string[]> {
  const violations: string[] = [];
  const saved = checkpointsOf(directory).map(({ step, position }) => `${step}:${position}`);
  if (saved.join() !== '3:6,6:12,9:18') violations.push(`the checkpoints are ${saved.join()}`);
  return [...violations, ...(await sessionsLeft(service, directory)), ...appliedTwice(journalOf(root))];
}

function digestOf(root: string, directory: string): string {
  const { weights, state } = checkpointsOf(directory).at(-1)!;
  const packages = join(root, 'service/packages/sagemaker-default');
  const hash = createHash('sha256');
  hash.update(readFileSync(join(packages, 'weights', versionOf(weights), 'model.safetensors')));
  hash.update(readFileSync(join(packages, 'states', `${versionOf(state)}.safetensors`)));
  return hash.digest('hex');
}

function versionOf(arn: string): string {
  return arn.split('/').at(-1)!;
}
