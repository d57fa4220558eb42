import { join } from 'node:path';
import type { Group, TrainingRow } from '@art/client';
import { startGateway } from '@art/gateway';
import { GatewayClient } from '@art/gateway-client';
import { makeDirectory } from '@art/ground';
import { tokenEngine } from '@art/token-engine';
import {
  type GuardOptions,
  type RolloutSource,
  ServedPolicy,
  SessionRegister,
  train,
  type TrainingStep,
} from '@art/train';
import { localService, type PolicyShape, writeWordTokenizer } from '@art/train/local';
import type { LearningStep } from '../learn.ts';
import type { LocalSpoiling, RunKind } from '../options.ts';
import { late } from '../spoil.ts';
import { allLookups, words } from '../task.ts';
import { openAgents } from './open-agents.ts';
import { rolloutsPerInput, rolloutTimeoutMs, type Stage, type StageOptions } from './stage.ts';

/** The loop of `@art/train`, on a policy that this process trains and samples. */
export async function openLocalStage(
  { seed, steps, sessions, platformVersion, out }: StageOptions,
  signal: AbortSignal,
): Promise<Stage> {
  await using parts = new AsyncDisposableStack();
  const logDir = join(out, 'logs');
  await makeDirectory(logDir);
  const checkpoint = join(out, 'policy');
  const tokenizer = await writeWordTokenizer(checkpoint, words);
  const policy = new ServedPolicy();
  const engine = tokenEngine({ sampler: policy, checkpoint, renderThreads: 1 });
  const gateway = await startGateway({ port: 0, logLevel: 'warn', engine });
  parts.defer(() => gateway.close());
  const agents = parts.use(await openAgents({ sessions, platformVersion }, logDir, signal));
  const client = agents.clientOf(gateway.url);
  // The same 118,000 weights that `python/make_policy.py` makes for vLLM.
  const shape: PolicyShape = {
    ...tokenizer,
    hiddenSize: 64,
    intermediateSize: 128,
    layers: 2,
    heads: 4,
    headSize: 32,
    maxContext: 256,
  };

  async function* run(kind: RunKind): AsyncGenerator<LearningStep, void, undefined> {
    const directory = join(out, 'runs', kind);
    for await (const step of train({
      service: localService({ shape, seed, directory: join(directory, 'saved') }),
      policy,
      client: kind === 'exact' ? client : spoilt(client, kind as LocalSpoiling),
      gateway: new GatewayClient({ url: gateway.url }),
      tasks: allLookups(),
      directory,
      steps,
      // Half of the words: of as many rollouts, twice as many steps teach more.
      groupsPerStep: words.length / 2,
      rolloutsPerGroup: rolloutsPerInput,
      maxConcurrentSessions: agents.maxConcurrentSessions,
      maxRolloutMs: rolloutTimeoutMs,
      learningRate: 3e-3,
      // As PyTorch has it: of so few rollouts the gradient of one step is mostly chance.
      adam: { beta2: 0.999 },
      loss: { name: 'ppo', clipLow: 0.8, clipHigh: 1.28 },
      advantages: { scale: 'sample' },
      // The policy to begin with says anything. Staying a little like it keeps a policy from settling on a wrong word.
      klCoefficient: 0.1,
      guards: guardsOf(kind, steps),
      seed,
      register: new SessionRegister(join(out, 'sessions.jsonl')),
      signal: AbortSignal.any([signal, agents.ended]),
    }))
      yield learningStep(step);
  }
  const opened = parts.move();
  return { run, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

/** Guards that end a run of so many steps. */
export function guardsOf(kind: RunKind, steps: number): GuardOptions {
  return {
    // No number of steps is too many: all rewards may be 0 in the first, and are 1 once the task is learnt.
    maxStepsWithoutSpread: steps + 1,
    // The controls are to show what the guard would stop.
    ...(kind !== 'exact' && { maxLogprobGap: 1e6 }),
  };
}

function learningStep(step: TrainingStep): LearningStep {
  const { reward = 0, rollouts, withoutRows, rows, metrics, logprobGap = 0, trainedTokens } = step;
  return {
    step: step.step,
    reward,
    rollouts,
    withoutRows,
    rows,
    update: { loss: metrics['loss:sum'] ?? 0, logprobGap, trainedTokens },
    rolloutMs: step.rolloutMs,
    updateMs: step.trainMs,
  };
}

/** The same rollouts, with one thing done wrong on the way to the trainer. */
function spoilt(client: RolloutSource, kind: LocalSpoiling): RolloutSource {
  const spoil = (row: TrainingRow): TrainingRow => ({
    ...row,
    logprobs: late(row.logprobs),
    ...(kind === 'late-mask' && {
      loss_mask: late(row.loss_mask),
      advantages: late(row.advantages ?? []),
    }),
  });
  return {
    async *runGroups<Input extends object>(
      ...given: Parameters<typeof client.runGroups<Input>>
    ): AsyncGenerator<Group<Input>, void, undefined> {
      for await (const group of client.runGroups(...given)) {
        const rows = async () => {
          const captured = await group.rows();
          return { ...captured, rows: captured.rows.map(spoil) };
        };
        yield { ...group, rows, acknowledge: () => group.acknowledge() };
      }
    },
  };
}
