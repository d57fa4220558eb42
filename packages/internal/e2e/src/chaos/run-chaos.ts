import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ChaosReport, ChaosViolation } from './chaos-report.ts';
import { leftUploads } from './evidence/left-uploads.ts';
import { checkInvariants } from './evidence/check-invariants.ts';
import type { RoundEvidence, Violation } from './evidence/round-evidence.ts';
import { timelineOf } from './evidence/timeline.ts';
import { ChaosRuntime } from './processes/chaos-runtime.ts';
import { chaosMarker, markedProcesses } from './processes/marked-processes.ts';
import { ChaosRound } from './round/chaos-round.ts';

const compileCache = join(import.meta.dirname, '../../../../../node_modules/.cache/art-compile');

export interface ChaosOptions {
  seed: number;
  /** No round is begun after so long. */
  minutes: number;
  /** In each round. @default 60 */
  rollouts?: number | undefined;
  /** Sessions at once. @default 8 */
  concurrency?: number | undefined;
  /** How long things go wrong in a round, at least. @default 60_000 */
  faultsForMs?: number | undefined;
  /** In a round, as long as it is not complete before; on a slow machine it takes longer. @default none */
  least?: { clientKills: number; sessionFaults: number } | undefined;
  /** Kinds of faults at a time, of sessions and of the store each. @default [2, 5] */
  faultsAtATime?: readonly [number, number] | undefined;
  /** Pause between two kills of an agent. @default [500, 4_000] */
  agentKillEveryMs?: readonly [number, number] | undefined;
  /** Pause between two kills of the runtime. @default [25_000, 70_000] */
  runtimeKillEveryMs?: readonly [number, number] | undefined;
  /** How long a client lives, least and most, in milliseconds; now and then it is killed while it starts. @default [900, 8_000] */
  clientKillAfterMs?: readonly [number, number] | undefined;
  /** Leave the folder of the run where it is. @default false */
  keep?: boolean | undefined;
  /** Called with the progress. */
  onProgress?: ((line: string) => void) | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * Batches in real processes while everything goes wrong: clients, agents and the runtime are killed, requests are lost,
 * repeated and refused, the store stalls and forgets. Then looks for what must not have happened.
 */
export async function runChaos(options: ChaosOptions): Promise<ChaosReport> {
  const { seed, minutes, onProgress = () => undefined, signal = new AbortController().signal } = options;
  const root = await mkdtemp(join(tmpdir(), 'art-chaos-'));
  const temporary = join(root, 'tmp');
  await mkdir(temporary);
  const mark = randomUUID();
  const secret = randomUUID();
  const env = chaosEnvironment(mark, root);
  const handlerRunsFile = join(root, 'handler-runs.jsonl');
  const startedMs = performance.now();
  const elapsedMinutes = (): number => (performance.now() - startedMs) / 60_000;
  const report: ChaosReport = {
    seed,
    minutes: 0,
    rounds: 0,
    rollouts: 0,
    handlerRuns: 0,
    clientKills: 0,
    clientLives: 0,
    agentKills: 0,
    runtimeKills: 0,
    twins: 0,
    sessionFaults: 0,
    storeFaults: 0,
    violations: [],
  };
  const runtime = await ChaosRuntime.start(
    {
      root,
      port: 0,
      agentMain: join(import.meta.dirname, 'processes/agent-main.ts'),
      agentEnv: { CHAOS_HANDLER_RUNS: handlerRunsFile, CHAOS_SECRET: secret, LOG_LEVEL: 'warn' },
      warmPoolSize: 2,
      entries: 100_000,
    },
    env,
  );
  const progress = (): void =>
    onProgress(
      `${elapsedMinutes().toFixed(1)} min, round ${report.rounds}: ${report.clientKills} client kills, ${runtime.faults.size + report.agentKills} faults, ${runtime.killedAtMs.length} runtime kills, ${report.violations.length} violations`,
    );
  const { least = { clientKills: 0, sessionFaults: 0 } } = options;
  const sessionFaults = (): number => countFaults(runtime).sessionFaults + report.agentKills;
  const ticking = setInterval(progress, 1_000);
  let isOver = false;
  try {
    do {
      const round = report.rounds;
      const before = { clientKills: report.clientKills, sessionFaults: sessionFaults() };
      const played = new ChaosRound({
        seed,
        round,
        rollouts: options.rollouts ?? 60,
        concurrency: options.concurrency ?? 8,
        faultsForMs: options.faultsForMs ?? 60_000,
        isEnough: () =>
          report.clientKills - before.clientKills >= least.clientKills &&
          sessionFaults() - before.sessionFaults >= least.sessionFaults,
        faultsAtATime: options.faultsAtATime ?? [2, 5],
        agentKillEveryMs: options.agentKillEveryMs ?? [500, 4_000],
        runtimeKillEveryMs: options.runtimeKillEveryMs ?? [25_000, 70_000],
        clientKillAfterMs: options.clientKillAfterMs ?? [900, 8_000],
        runtime,
        directory: join(root, `round-${round}`),
        handlerRunsFile,
        secret,
        env,
        onClientKilled: () => (report.clientKills += 1),
        onAgentKilled: () => (report.agentKills += 1),
        signal,
      });
      const evidence = await played.play();
      addRound(report, round, evidence);
      runtime.log.length = 0;
    } while (elapsedMinutes() < minutes);
    await runtime.close();
    isOver = true;
    for (const violation of await leftovers({ mark, temporary, runtime, root }))
      report.violations.push({ ...violation, round: report.rounds });
  } finally {
    clearInterval(ticking);
    if (!isOver) await breakOff(runtime, mark);
    if (options.keep !== true) await rm(root, { recursive: true, force: true, maxRetries: 10 });
    else onProgress(`kept ${root}\n`);
  }
  Object.assign(report, countFaults(runtime));
  report.runtimeKills = runtime.killedAtMs.length;
  report.minutes = elapsedMinutes();
  return report;
}

/** Environment of the processes of a run: no AWS settings of the user, a place for temporary files, the mark. */
function chaosEnvironment(mark: string, root: string): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !/^(AWS_|ART_|VITEST|NODE_OPTIONS)/.test(name));
  return {
    ...Object.fromEntries(own),
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_REGION: 'us-west-2',
    AWS_CONFIG_FILE: '/dev/null',
    AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
    TMPDIR: join(root, 'tmp'),
    // Hundreds of processes load the same sources, and most are killed before they could keep what they compiled.
    NODE_COMPILE_CACHE: compileCache,
    [chaosMarker]: mark,
  };
}

function addRound(report: ChaosReport, round: number, evidence: RoundEvidence): void {
  report.rounds += 1;
  report.rollouts += evidence.payloads.length;
  report.handlerRuns += evidence.handlerRuns.length;
  report.clientLives += new Set(evidence.lines.map((line) => line.life)).size;
  report.twins += evidence.twins.length;
  for (const violation of checkInvariants(evidence)) {
    const timeline = violation.n === undefined ? undefined : timelineOf(violation.n, evidence);
    const found: ChaosViolation = { ...violation, round, timeline };
    report.violations.push(found);
  }
}

function countFaults({ faults }: ChaosRuntime): Pick<ChaosReport, 'sessionFaults' | 'storeFaults'> {
  const operations = [...faults.values()].map(({ operation }) => operation);
  const storeFaults = operations.filter((name) => /^s3_(get|head|list|delete)$/.test(name)).length;
  return { storeFaults, sessionFaults: operations.length - storeFaults };
}

const orphan = (message: string): Violation => ({ invariant: 'orphan', message });

/** Things that a run that is over must not have left behind. */
async function leftovers(parts: {
  mark: string;
  temporary: string;
  runtime: Pick<ChaosRuntime, 'port' | 'killedAtMs'>;
  root: string;
}): Promise<Violation[]> {
  const { port, killedAtMs } = parts.runtime;
  const processes = await markedProcesses(parts.mark);
  const files = [
    // Records of invocations stay with their machine, so that a process that comes after another's death knows them.
    ...(await readdir(parts.temporary)).filter((name) => name !== '.agentcore_runtime'),
    ...(await leftUploads(join(parts.root, 'objects/.s3/uploads'), killedAtMs)),
  ];
  return [
    ...processes.map((line) => orphan(`A process is left: ${line}`)),
    ...files.map((name) => orphan(`A temporary file is left: ${name}`)),
    ...((await isListening(port)) ? [orphan(`Port ${port} is still open.`)] : []),
  ];
}

async function breakOff(runtime: ChaosRuntime, mark: string): Promise<void> {
  await runtime.abandon();
  for (const line of await markedProcesses(mark)) {
    try {
      process.kill(Number.parseInt(line, 10), 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
  }
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ host: '127.0.0.1', port });
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.unref();
  });
}
