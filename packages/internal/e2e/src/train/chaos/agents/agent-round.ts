import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { pause } from '@art/ground';
import { takePort } from '@art/local';
import { writeWordTokenizer } from '@art/train/local';
import { chaosMarker, markedProcesses } from '../../../chaos/processes/marked-processes.ts';
import { RuntimeProcess, type RuntimeProcessOptions } from '../../../chaos/processes/runtime-process.ts';
import { checkpointsOf, journalOf, sessionsLeft, statusesOf } from '../evidence/round-files.ts';
import { appliedTwice, stepLineage } from '../evidence/step-lineage.ts';
import { KillableProcess } from '../killable-process.ts';
import type { ServiceNews, ServiceTask } from '../service-process.ts';
import type { AgentTrainingTask } from './agent-training-process.ts';
import type { GatewayTask } from './gateway-process.ts';

export const victims = ['loop', 'gateway', 'agents', 'service'] as const;
export type Victim = (typeof victims)[number];

/** At which call of the service from now on a process is killed. */
export interface Kill {
  victim: Victim;
  calls: number;
  isAfter: boolean;
}

export interface RoundSize {
  steps: number;
  groupsPerStep: number;
  checkpointEverySteps: number;
  /** Most kills of a round. */
  kills: number;
  /** Most calls between two kills. */
  mostCalls: number;
}

export interface AgentRound {
  root: string;
  size: RoundSize;
  faultSeed: number;
  nextKill: () => Kill | undefined;
  onKilled: (victim: Victim) => void;
  signal?: AbortSignal | undefined;
}

export interface AgentRoundEnd {
  violations: string[];
  /** How often the loop had ended with an error, and was begun again. */
  resumed: number;
}

const words = ['ba', 'de', 'fi', 'go'];

/** One run, killed and begun again until it is made, and what is left of it. */
export async function playAgentRound(round: AgentRound): Promise<AgentRoundEnd> {
  const { root, size, signal } = round;
  const mark = randomUUID();
  const env = { ...process.env, [chaosMarker]: mark };
  const directory = join(root, 'run');
  const checkpoint = join(root, 'tokenizer');
  const tokenizer = await writeWordTokenizer(checkpoint, words);
  const shape = {
    ...tokenizer,
    hiddenSize: 16,
    intermediateSize: 16,
    layers: 1,
    heads: 2,
    headSize: 8,
    maxContext: 32,
  };
  // Each is bound again after a kill: ports that no connection and no `listen(0)` takes meanwhile.
  const [samplerPort, servicePort, gatewayPort, runtimePort] = await Promise.all([
    takePort(),
    takePort(),
    takePort(),
    takePort(),
  ]);
  const results = pathToFileURL(join(root, 'results'));

  const service = new KillableProcess<ServiceTask>(
    'service-process.ts',
    { directory: join(root, 'service'), port: servicePort, shape, faultSeed: round.faultSeed },
    env,
  );
  const gateway = new KillableProcess<GatewayTask>(
    'agents/gateway-process.ts',
    {
      port: gatewayPort,
      directory: join(root, 'captures'),
      checkpoint,
      samplerUrl: `http://127.0.0.1:${samplerPort}`,
    },
    env,
  );
  const agentMain = join(import.meta.dirname, '../../echo-agent.ts');
  const runtimeOptions: RuntimeProcessOptions = {
    root,
    port: runtimePort,
    agentMain,
    agentEnv: { [chaosMarker]: mark, ART_RESULT_STORE: results.href },
    warmPoolSize: 0,
    entries: 10_000,
  };
  const [endpoint, gatewayUrl, firstRuntime] = await Promise.all([
    service.start(),
    gateway.start(),
    RuntimeProcess.start(runtimeOptions, env),
  ]);
  let runtime = firstRuntime;
  const loop = new KillableProcess<AgentTrainingTask>(
    'agents/agent-training-process.ts',
    {
      directory,
      endpoint,
      gatewayUrl,
      samplerPort,
      runtime: { endpoint: runtime.endpoint, agentRuntimeArn: runtime.arn },
      results: join(root, 'results'),
      words,
      ...size,
    },
    env,
  );
  const violations: string[] = [];
  let resumed = 0;
  let isOver = false;
  let mayEnd = false;
  let wereAgentsGone = false;

  const followFaults = (): void =>
    void service.messages.on('message', (news: ServiceNews) => {
      if ('endedBy' in news) mayEnd = true;
    });
  followFaults();

  const restart: Record<Victim, () => Promise<unknown>> = {
    // Anyone who waits for the end of the loop begins it again.
    loop: () => Promise.resolve(),
    gateway: () => gateway.start(),
    agents: async () => {
      // A runtime that stays away for longer than rollouts are tried again is told by a guard.
      wereAgentsGone = true;
      runtime = await RuntimeProcess.start(runtimeOptions, env);
    },
    service: async () => {
      mayEnd = true;
      await service.start();
      followFaults();
    },
  };
  const pidOf = (victim: Victim): number | undefined =>
    victim === 'service'
      ? undefined
      : victim === 'agents'
        ? runtime.pid
        : victim === 'loop'
          ? loop.pid
          : gateway.pid;
  const exitOf = (victim: Victim): Promise<unknown> =>
    victim === 'agents' ? runtime.exited : { loop, gateway, service }[victim].exited;

  let current: Kill | undefined;
  let restarting: Promise<unknown> = Promise.resolve();
  const orderNext = (): void => {
    current = isOver ? undefined : round.nextKill();
    if (current === undefined) return;
    const { victim } = current;
    service.send({ ...current, pid: pidOf(victim) });
    void exitOf(victim).then((exit) => {
      // The loop can have ended by itself.
      if (isOver || (exit as unknown[])[1] !== 'SIGKILL') return;
      round.onKilled(victim);
      restarting = restart[victim]().then(() => {
        if (victim !== 'loop') orderNext();
      });
    });
  };

  try {
    for (;;) {
      signal?.throwIfAborted();
      loop.begin();
      if (current === undefined || current.victim === 'loop') orderNext();
      const [code, killedBy] = await loop.exited;
      if (code === 0) break;
      if (killedBy === 'SIGKILL') {
        current = undefined;
        continue;
      }
      // What it told comes before its answer.
      await statusesOf(service);
      await restarting;
      resumed += 1;
      const isGuard = wereAgentsGone && loop.errors.includes('ART_TRAIN_ROLLOUTS_FAILED');
      if (!isGuard && (!mayEnd || !/ART_[A-Z_]+/.test(loop.errors))) {
        violations.push(`the loop ended with ${code} and said: ${loop.errors.slice(-1_500)}`);
        break;
      }
      mayEnd = false;
      wereAgentsGone = false;
    }
    isOver = true;
    if (violations.length === 0) {
      violations.push(...checkSteps(directory, root, size));
      violations.push(...(await sessionsLeft(service, directory)));
      const sessions = await leftOf(() => runtime.liveSessions());
      if (sessions.length > 0) violations.push(`sessions of agents go on: ${JSON.stringify(sessions)}`);
    }
  } finally {
    isOver = true;
    await Promise.all([loop.kill(), gateway.kill(), service.kill(), runtime.kill()]);
  }
  const left = await leftOf(() => markedProcesses(mark));
  if (left.length > 0) violations.push(`processes go on: ${left.join('; ')}`);
  return { violations, resumed };
}

function positions(of: readonly { step: number; position: number }[]): string {
  return of.map(({ step, position }) => `${step}:${position}`).join();
}

function checkSteps(directory: string, root: string, size: RoundSize): string[] {
  const { steps, checkpointEverySteps: every, groupsPerStep } = size;
  const saved = checkpointsOf(directory);
  const expected = Array.from({ length: steps / every }, (_, at) => (at + 1) * every);
  const wanted = positions(expected.map((step) => ({ step, position: step * groupsPerStep })));
  const violations = positions(saved) === wanted ? [] : [`the checkpoints are ${positions(saved)}`];
  const journal = journalOf(root);
  for (const { step, state } of saved) {
    const made = stepLineage(journal, state);
    violations.push(...made.violations);
    if (made.steps !== step) violations.push(`the state of step ${step} has had ${made.steps} steps`);
  }
  return [...violations, ...appliedTwice(journal)];
}

/** Things that are still there once they have had the time to end: a machine that is busy takes long. */
async function leftOf<T>(look: () => Promise<T[]>): Promise<T[]> {
  for (let looks = 0; looks < 150; looks += 1) {
    if ((await look()).length === 0) return [];
    await pause(200);
  }
  return await look();
}
