import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ArtError, refuseOption } from '@art/ground';
import { type Spoiling, spoilings } from './spoil.ts';

/** One run of the loop: exact, or with one thing done wrong on purpose. */
export type RunKind = 'exact' | Spoiling;

/** Faults that can be planted where the trainer takes no logprobs of its own. */
export type LocalSpoiling = Extract<Spoiling, 'shift-logprobs' | 'late-mask'>;

export interface Options {
  seed: number;
  steps: number;
  /** One after the other, each from the same policy. */
  runs: readonly RunKind[];
  sessions: 'server' | 'processes';
  /** With V2 each session is played as a restored clone of one snapshot. */
  platformVersion: 'V1' | 'V2';
  /** Engine that samples and trains. */
  engine: 'local' | 'vllm';
  /** True if downloads need no question. */
  yes: boolean;
  /** Absolute path of the folder for all that is written. */
  out: string;
}

export const help = `A tiny policy learns a task of two turns with a tool: a TypeScript agent, a gateway, and a trainer in TypeScript.

Usage: npm run learn -- [options]

  --seed N           weights, tasks and sampling begin with it (default 0). Two runs of one seed are alike but not equal:
                     in what order calls reach the engine is left to chance
  --steps N          updates of the policy (default 120, with vLLM 60)
  --engine WHAT      local: this process samples and trains, by the loop of @art/train (default)
                     vllm: a real vLLM and a real trainer in PyTorch, on Linux on x64
  --spoil KIND,...   do one thing wrong between engine and trainer, to see what it costs; several kinds run one after
                     the other from the same policy and share the picture, "none" among them is the exact run
                       shift-logprobs   logprobs one token late
                       late-mask        mask, logprobs and advantages one token late
                       retokenise       text decoded and encoded again, with the trainer's own logprobs (vllm only)
                       whole-loss       loss over prompt and tool tokens as well (vllm only)
  --sessions HOW     server: one agent server for all rollouts (default); processes: a process for each rollout, as on
                     AgentCore, which takes some 50 s a step on two processors
  --platform-version VERSION
                     V1: each process starts afresh (default); V2, with --sessions processes: as sessions that are
                     restored from one snapshot, which share what they draw unless the agent prevents it
  --out FOLDER       new folder for results and logs (default .art/learn-<time>)
  --yes              download what is missing without asking
  --help             this text

With --engine vllm the first time downloads some 3.2 GB, vLLM and PyTorch, into a cache folder. It says so before and, in a terminal, asks.

Exit code: 0 when all steps were made, 1 when something failed or is missing, 2 for wrong options, 130 when interrupted.

Examples
  npm run learn -- --seed 7
  npm run learn -- --spoil none,shift-logprobs
`;

/**
 * Reads the command line.
 * @param place When the command was started, and where: relative paths begin there.
 * @returns undefined where help was asked for
 * @throws ArtError `ART_INVALID_OPTION`
 */
export function parseOptions(
  args: readonly string[],
  place: { now: Date; cwd: string },
): Options | undefined {
  const values = parseFlags(args);
  if (values.help) return undefined;
  const { sessions, engine, out = join('.art', `learn-${timestamp(place.now)}`) } = values;
  if (sessions !== 'server' && sessions !== 'processes') refuse('sessions', 'server or processes', sessions);
  if (engine !== 'local' && engine !== 'vllm') refuse('engine', 'local or vllm', engine);
  const platformVersion = values['platform-version'];
  if (platformVersion !== 'V1' && platformVersion !== 'V2')
    refuse('platform-version', 'V1 or V2', platformVersion);
  if (platformVersion === 'V2' && sessions === 'server')
    refuse('platform-version', 'V1, or left out, without --sessions processes', platformVersion);
  const runs = runKinds(values.spoil);
  const foreign = runs.find((run) => run === 'retokenise' || run === 'whole-loss');
  if (engine === 'local' && foreign !== undefined)
    refuse('spoil', 'shift-logprobs, late-mask or none without --engine vllm', foreign);
  return {
    seed: integer('seed', values.seed, 0),
    steps: integer('steps', values.steps ?? (engine === 'vllm' ? '60' : '120'), 1),
    runs,
    sessions,
    platformVersion,
    engine,
    yes: values.yes,
    out: resolve(place.cwd, out),
  };
}

function parseFlags(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        seed: { type: 'string', default: '0' },
        steps: { type: 'string' },
        engine: { type: 'string', default: 'local' },
        spoil: { type: 'string', default: 'none' },
        sessions: { type: 'string', default: 'server' },
        'platform-version': { type: 'string', default: 'V1' },
        out: { type: 'string' },
        yes: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    }).values;
  } catch (cause) {
    throw new ArtError({
      code: 'ART_INVALID_OPTION',
      message: `${(cause as Error).message}. See --help.`,
      cause,
    });
  }
}

function runKinds(text: string): RunKind[] {
  const kinds = text.split(',').map((name): RunKind => {
    if (name === 'none') return 'exact';
    const kind = spoilings.find((candidate) => candidate === name);
    return kind ?? refuse('spoil', `some of none, ${spoilings.join(', ')}, with commas between them`, text);
  });
  if (new Set(kinds).size < kinds.length) refuse('spoil', 'each kind once', text);
  return kinds;
}

function integer(name: string, text: string, min: number): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  // Seeds of NumPy, which vLLM uses, have 32 bits.
  if (value >= min && value < 2 ** 32) return value;
  refuse(name, `an integer from ${min} to ${2 ** 32 - 1}`, text);
}

function refuse(name: string, expected: string, got: string): never {
  refuseOption(`--${name}`, expected, got, { advice: 'See --help.' });
}

function timestamp(now: Date): string {
  return now
    .toISOString()
    .replaceAll(/[-:]|\.\d+Z/g, '')
    .replace('T', '-');
}
