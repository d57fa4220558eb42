import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { GatewayClient } from '@art/gateway-client';
import { makeDirectory } from '@art/ground';
import { Tokenizer } from '@huggingface/tokenizers';
import { learn, type LearningStep, type TrainerRow } from '../learn.ts';
import type { RunKind } from '../options.ts';
import { spoil } from '../spoil.ts';
import { words } from '../task.ts';
import { ArtGateway } from './art-gateway.ts';
import { openAgents } from './open-agents.ts';
import { PythonTrainer } from './python-trainer.ts';
import { modelId, rolloutsPerInput, type Stage, type StageOptions } from './stage.ts';
import { Vllm } from './vllm.ts';

const scripts = join(import.meta.dirname, '..', '..', 'python');

/** A real vLLM, and a trainer in PyTorch. */
export async function openVllmStage(
  { seed, steps, sessions, platformVersion, out }: StageOptions,
  python: string,
  signal: AbortSignal,
): Promise<Stage> {
  await using parts = new AsyncDisposableStack();
  const logDir = join(out, 'logs');
  await makeDirectory(logDir);
  const policy = join(out, 'policy');
  await promisify(execFile)(python, [join(scripts, 'make_policy.py'), policy, String(seed), ...words], {
    signal,
  });
  const engine = parts.use(await Vllm.start({ python, policy, modelId, seed, logDir, signal }));
  const gateway = parts.use(await ArtGateway.start({ worker: engine.url, logDir, signal }));
  const agents = parts.use(await openAgents({ sessions, platformVersion }, logDir, signal));
  const broken = new AbortController();
  for (const { group } of [engine, gateway]) group.died().catch((error: unknown) => broken.abort(error));
  const over = AbortSignal.any([signal, broken.signal, agents.ended]);
  const client = agents.clientOf(gateway.url);

  async function* run(kind: RunKind): AsyncGenerator<LearningStep, void, undefined> {
    await using trainer = await PythonTrainer.start({
      python,
      script: join(scripts, 'trainer.py'),
      policy,
      weights: join(out, 'weights'),
      logDir,
    });
    await engine.loadWeights(policy, over);
    yield* learn({
      client,
      gateway: new GatewayClient({ url: gateway.url }),
      engine,
      trainer,
      steps,
      seed,
      rolloutsPerInput,
      maxConcurrentSessions: agents.maxConcurrentSessions,
      prepare: await spoilingOf(kind, policy),
      signal: over,
    });
  }
  const opened = parts.move();
  return { run, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

async function spoilingOf(
  kind: RunKind,
  policy: string,
): Promise<((row: TrainerRow) => TrainerRow) | undefined> {
  if (kind === 'exact') return undefined;
  const [tokenizer, config] = await Promise.all(
    ['tokenizer.json', 'tokenizer_config.json'].map(
      async (name) => JSON.parse(await readFile(join(policy, name), 'utf8')) as object,
    ),
  );
  const own = new Tokenizer(tokenizer!, config!);
  return (row) => spoil(row, kind, own);
}
