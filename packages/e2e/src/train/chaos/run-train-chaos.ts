import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { SessionRegister } from '@art/train';
import { SeededRandom } from '../../chaos/seeded-random.ts';
import type { KillOrder } from './service-process.ts';

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
/** Of a run of nine steps that nobody disturbs, about half. */
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
  /** Of weights and optimizer after the last step. */
  digest: string;
}

async function playRound(next: () => Kill | undefined, signal?: AbortSignal): Promise<RoundEnd> {
  const root = await mkdtemp(join(tmpdir(), 'art-train-chaos-'));
  const directory = join(root, 'run');
  const violations: string[] = [];
  let service = await startService(root, 0);
  const port = Number(new URL(service.endpoint).port);
  let trainer: ChildProcess | undefined;
  try {
    for (;;) {
      signal?.throwIfAborted();
      const kill = next();
      trainer = startTrainer(service.endpoint, directory);
      const errors = text(trainer.stderr!);
      const exited = once(trainer, 'exit');
      const restarted = Promise.withResolvers<void>();
      if (kill !== undefined) {
        const { victim, calls, isAfter } = kill;
        service.order({ calls, isAfter, pid: victim === 'trainer' ? trainer.pid : undefined });
        void service.exited.then(async () => {
          // A service that comes back has forgotten its sessions, and kept what they saved.
          if (victim === 'service') service = await startService(root, port);
          restarted.resolve();
        });
      }
      const [code] = (await exited) as [number | null];
      const isServiceGone = !service.isRunning();
      if (kill?.victim === 'service' && (isServiceGone || code !== 0)) await restarted.promise;
      if (code === 0) break;
      kill?.killed();
      if (code === null && kill?.victim === 'trainer') continue;
      const said = (await errors).trim();
      if (kill?.victim !== 'service' || !/ART_[A-Z_]+/.test(said)) {
        violations.push(`the loop ended with ${code} and said: ${said.slice(-600)}`);
        break;
      }
    }
    violations.push(...(await leftovers(root, directory, service)));
    return { violations, digest: violations.length > 0 ? '' : digestOf(root, directory) };
  } finally {
    trainer?.kill('SIGKILL');
    await service.stop();
    await rm(root, { recursive: true, force: true, maxRetries: 10 });
  }
}

interface Service {
  endpoint: string;
  exited: Promise<unknown>;
  isRunning(): boolean;
  order(order: KillOrder): void;
  statuses(): Promise<Record<string, string>>;
  stop(): Promise<void>;
}

async function startService(root: string, port: number): Promise<Service> {
  const main = join(import.meta.dirname, 'service-process.ts');
  const child = spawn(
    process.execPath,
    ['--conditions=@art/source', main, join(root, 'service'), String(port)],
    {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    },
  );
  const exited = once(child, 'exit');
  const said = await Promise.race([once(child, 'message'), exited]);
  if (typeof said[0] !== 'string') throw new Error('The training service did not start.');
  return {
    endpoint: said[0],
    exited,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    order: (order) => void child.send(order),
    statuses: async () => {
      child.send('statuses');
      const [statuses] = (await once(child, 'message')) as [Record<string, string>];
      return statuses;
    },
    stop: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

function startTrainer(endpoint: string, directory: string): ChildProcess {
  const main = join(import.meta.dirname, 'training-process.ts');
  const command = ['--conditions=@art/source', main, endpoint, directory, String(steps)];
  return spawn(process.execPath, command, { stdio: ['ignore', 'ignore', 'pipe'] });
}

interface CheckpointLine {
  step: number;
  position: number;
  weights: string;
  state: string;
}

function checkpointsOf(directory: string): CheckpointLine[] {
  return linesOf<CheckpointLine>(join(directory, 'checkpoints.jsonl'));
}

function linesOf<T>(path: string): T[] {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.flatMap((line) => (line === '' ? [] : [JSON.parse(line) as T]));
}

/** What a round must not leave. */
async function leftovers(root: string, directory: string, service: Service): Promise<string[]> {
  const violations: string[] = [];
  const saved = checkpointsOf(directory).map(({ step, position }) => `${step}:${position}`);
  if (saved.join() !== '3:6,6:12,9:18') violations.push(`the checkpoints are ${saved.join()}`);
  const running = Object.entries(await service.statuses()).filter(([, status]) => status !== 'Stopped');
  if (running.length > 0) violations.push(`sessions go on: ${JSON.stringify(running)}`);
  const open = new SessionRegister(join(directory, 'sessions.jsonl')).open();
  if (open.length > 0)
    violations.push(`the register has open sessions: ${open.map(({ name }) => name).join()}`);
  const applied = linesOf<{ session: string; sequenceNumber: number; clientToken: string }>(
    join(root, 'service/journal.jsonl'),
  );
  for (const [session, operations] of Map.groupBy(applied, (operation) => operation.session)) {
    const numbers = operations.map(({ sequenceNumber }) => sequenceNumber);
    if (numbers.some((number, at) => number !== at + 1))
      violations.push(`${session} applied ${numbers.join()}`);
  }
  if (new Set(applied.map(({ clientToken }) => clientToken)).size !== applied.length)
    violations.push('an operation was applied twice');
  return violations;
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
