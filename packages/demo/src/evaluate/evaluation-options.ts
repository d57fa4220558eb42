import { stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { numberFlag } from '../command-line/number-flag.ts';
import { type FlagValues, parseFlags } from '../command-line/parse-flags.ts';
import { refuseFlag } from '../command-line/refuse-flag.ts';

/** Which model the agents talk to. */
export type ModelChoice =
  | { kind: 'scripted'; errorRate: number; latencyMs: number }
  | { kind: 'endpoint'; baseUrl: string; modelId: string };

export interface EvaluationOptions {
  problems: number;
  /** A GSM8K file; undefined for generated problems. */
  dataset: string | undefined;
  seed: number;
  model: ModelChoice;
  temperature: number;
  concurrency: number;
  warm: number;
  timeoutMs: number;
  /** Absolute path of the results file. */
  out: string;
}

export const evaluationHelp = `Runs the maths agent on many problems, each in a session process of its own, and reports how well it did.

Usage: npm run evaluate -- [options]

Problems
  --problems N       how many problems (default 100)
  --dataset FILE     take them from a GSM8K file: one {"question", "answer"} a line, the answer ending in "#### 18".
                     Without it they are generated. The scripted model understands generated problems only.
  --seed N           problems, mistakes and sampling depend on it; the same seed repeats a run (default 0)

Model
  Without --base-url the agents talk to a scripted model: not a neural network, but a server that parses the problems,
  calls the calculator and makes mistakes on purpose.
  --error-rate P     how often the scripted model is wrong, 0 to 1 (default 0.2)
  --latency-ms MS    how long the scripted model thinks before each reply (default 0)
  --base-url URL     a real model instead, OpenAI-compatible, for example http://127.0.0.1:8000/v1
  --model-id NAME    its name; needed with --base-url. Set OPENAI_API_KEY if the endpoint wants a key
  --temperature T    sampling temperature, 0 or more (default 1)

Run
  --concurrency N    sessions at a time (default: twice the number of processors)
  --warm N           processes started ahead of their sessions (default: the same)
  --timeout-ms MS    longest time for one rollout (default 120000)
  --out FILE         new file for the results, JSON lines (default .art/evaluate-<time>/results.jsonl)
  --help             this text

Exit code: 0 when at least 95 % of the rollouts ended well, whatever their rewards; 1 when not; 2 for wrong options;
130 when interrupted.

Examples
  npm run evaluate -- --problems 20 --error-rate 0.5
  npm run evaluate -- --dataset gsm8k-test.jsonl --base-url http://127.0.0.1:8000/v1 --model-id Qwen/Qwen3-8B
`;

// A session needs a processor while it starts, and hardly one while it waits for the model.
const defaultConcurrency = String(2 * availableParallelism());

const flags = {
  problems: { type: 'string', default: '100' },
  dataset: { type: 'string' },
  seed: { type: 'string', default: '0' },
  'error-rate': { type: 'string' },
  'latency-ms': { type: 'string' },
  'base-url': { type: 'string' },
  'model-id': { type: 'string' },
  temperature: { type: 'string', default: '1' },
  concurrency: { type: 'string' },
  warm: { type: 'string' },
  'timeout-ms': { type: 'string', default: '120000' },
  out: { type: 'string' },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

/**
 * Reads the command line.
 * @param place When the command was started, and where: relative paths begin there.
 * @returns undefined where help was asked for
 * @throws ArtError `ART_INVALID_OPTION`
 */
export async function parseEvaluationOptions(
  args: readonly string[],
  place: { now: Date; cwd: string },
): Promise<EvaluationOptions | undefined> {
  const values = parseFlags(args, flags);
  if (values.help) return undefined;
  const dataset = values.dataset === undefined ? undefined : resolve(place.cwd, values.dataset);
  if (dataset !== undefined && !(await isFile(dataset)))
    refuseFlag('dataset', 'an existing file', values.dataset);
  return {
    problems: numberFlag('problems', values.problems, { min: 1, max: 1_000_000, integer: true }),
    dataset,
    seed: numberFlag('seed', values.seed, { min: 0, max: Number.MAX_SAFE_INTEGER, integer: true }),
    model: modelChoice(values),
    temperature: numberFlag('temperature', values.temperature, { min: 0, max: 100 }),
    concurrency: numberFlag('concurrency', values.concurrency ?? defaultConcurrency, {
      min: 1,
      max: 1_000,
      integer: true,
    }),
    warm: numberFlag('warm', values.warm ?? defaultConcurrency, { min: 0, max: 1_000, integer: true }),
    timeoutMs: numberFlag('timeout-ms', values['timeout-ms'], { min: 1, max: 86_400_000 }),
    out: resolve(place.cwd, values.out ?? join('.art', `evaluate-${timestamp(place.now)}`, 'results.jsonl')),
  };
}

function modelChoice(values: FlagValues<typeof flags>): ModelChoice {
  const baseUrl = values['base-url'];
  const modelId = values['model-id'];
  if (baseUrl === undefined) {
    if (modelId !== undefined)
      refuseFlag('base-url', 'the URL of the endpoint that has the model', undefined);
    return {
      kind: 'scripted',
      errorRate: numberFlag('error-rate', values['error-rate'] ?? '0.2', { min: 0, max: 1 }),
      latencyMs: numberFlag('latency-ms', values['latency-ms'] ?? '0', { min: 0, max: 3_600_000 }),
    };
  }
  if (!/^https?:$/.test(URL.parse(baseUrl)?.protocol ?? ''))
    refuseFlag('base-url', 'an http or https URL', baseUrl);
  if (modelId === undefined || modelId === '')
    refuseFlag('model-id', 'the name of a model at --base-url', modelId);
  for (const name of ['error-rate', 'latency-ms'] as const) {
    if (values[name] !== undefined)
      refuseFlag(name, 'absent: it is for the scripted model only', values[name]);
  }
  return { kind: 'endpoint', baseUrl, modelId };
}

async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

function timestamp(now: Date): string {
  return now
    .toISOString()
    .replaceAll(/[-:]|\.\d+Z/g, '')
    .replace('T', '-');
}
