import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { locateEnvironment } from '@art/example-learn/python-environment';
import { Vllm } from '@art/example-learn/vllm';
import { modelId } from './engine-cases.ts';
import { RecordingProxy } from './recording-proxy.ts';
import { tokenizerFolder } from './tokenizer-folder.ts';

const scripts = join(import.meta.dirname, 'python');
const run = promisify(execFile);

/** Folders with a tiny Qwen3 each, of different random weights. */
export interface TinyModels extends AsyncDisposable {
  python: string;
  folder: string;
  first: string;
  second: string;
}

export async function makeModels(): Promise<TinyModels> {
  const { python } = await locateEnvironment(process.env);
  const folder = await mkdtemp(join(tmpdir(), 'art-engine-'));
  const make = async (name: string, seed: number): Promise<string> => {
    const model = join(folder, name);
    await mkdir(model);
    for (const file of ['tokenizer.json', 'tokenizer_config.json'])
      await copyFile(join(tokenizerFolder, file), join(model, file));
    await run(python, [join(scripts, 'make_model.py'), model, String(seed)], { env: offline });
    return model;
  };
  return {
    python,
    folder,
    first: await make('first', 1),
    second: await make('second', 2),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true, maxRetries: 10 }),
  };
}

const alwaysFlags = ['--max-model-len', '1024', '--enable-auto-tool-choice', '--tool-call-parser', 'hermes'];

/** A real vLLM, and a proxy before it that keeps what it sends. */
export interface EngineBed extends AsyncDisposable {
  engine: Vllm;
  proxy: RecordingProxy;
}

export async function startEngine({ python, folder, first }: TinyModels): Promise<EngineBed> {
  await using parts = new AsyncDisposableStack();
  const engine = parts.use(
    await Vllm.start({
      python,
      policy: first,
      modelId,
      seed: 0,
      logDir: folder,
      signal: AbortSignal.timeout(600_000),
      flags: alwaysFlags,
    }),
  );
  const proxy = parts.use(await RecordingProxy.start(engine.url));
  const opened = parts.move();
  return { engine, proxy, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

/** A sequence whose last tokens were sampled. */
export interface Sequence {
  promptTokenIds: readonly number[];
  tokenIds: readonly number[];
}

/** Logprobs of the sampled tokens by PyTorch, with the weights in a folder. */
export async function torchLogprobs(
  { python }: TinyModels,
  model: string,
  sequences: readonly Sequence[],
): Promise<number[][]> {
  const scoring = run(python, [join(scripts, 'score.py'), model], { env: offline, maxBuffer: 2 ** 28 });
  for (const { promptTokenIds, tokenIds } of sequences) {
    const row = { token_ids: [...promptTokenIds, ...tokenIds], prompt_length: promptTokenIds.length };
    scoring.child.stdin!.write(`${JSON.stringify(row)}\n`);
  }
  scoring.child.stdin!.end();
  const { stdout } = await scoring;
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as number[]);
}

const offline = { ...process.env, HF_HUB_OFFLINE: '1' };

interface PromptLogprobs {
  choices: { index: number; prompt_logprobs: (Record<string, { logprob: number }> | null)[] }[];
}

/** Logprobs of the sampled tokens by vLLM itself when it is given them as a prompt. */
export async function promptLogprobs(engineUrl: string, sequences: readonly Sequence[]): Promise<number[][]> {
  if (sequences.length === 0) return [];
  const reply = await postJson(`${engineUrl}/v1/completions`, {
    model: modelId,
    prompt: sequences.map(({ promptTokenIds, tokenIds }) => [...promptTokenIds, ...tokenIds]),
    max_tokens: 1,
    prompt_logprobs: 0,
  });
  const { choices } = JSON.parse(reply) as PromptLogprobs;
  return sequences.map(({ promptTokenIds, tokenIds }, index) => {
    const told = choices.find((choice) => choice.index === index)!.prompt_logprobs;
    return tokenIds.map((id, at) => told[promptTokenIds.length + at]![String(id)]!.logprob);
  });
}

export async function postJson(url: string, body: unknown): Promise<string> {
  const reply = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await reply.text();
  if (!reply.ok) throw new Error(`Expected ${url} to answer, got HTTP ${reply.status}: ${text}`);
  return text;
}

/** The largest difference of two lists of lists of numbers. @throws where their lengths differ */
export function largestGap(
  some: readonly (readonly number[])[],
  others: readonly (readonly number[])[],
): number {
  const [all, compared] = [some.flat(), others.flat()];
  if (all.length !== compared.length)
    throw new Error(`Expected ${all.length} logprobs, got ${compared.length}.`);
  return all.reduce((largest, value, at) => Math.max(largest, Math.abs(value - compared[at]!)), 0);
}
