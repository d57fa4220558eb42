import { availableParallelism } from 'node:os';
import { describe, expect, it } from 'vitest';
import { evaluationHelp, parseEvaluationOptions } from './evaluation-options.ts';

const now = new Date('2026-01-02T03:04:05.678Z');
const parse = (...args: string[]) => parseEvaluationOptions(args, { now, cwd: '/home/me' });

it('has defaults for everything', async () => {
  await expect(parse()).resolves.toEqual({
    problems: 100,
    dataset: undefined,
    seed: 0,
    model: { kind: 'scripted', errorRate: 0.2, latencyMs: 0 },
    temperature: 1,
    concurrency: 2 * availableParallelism(),
    warm: 2 * availableParallelism(),
    timeoutMs: 120_000,
    out: '/home/me/.art/evaluate-20260102-030405/results.jsonl',
  });
});

it('reads every option', async () => {
  const model = ['--base-url', 'http://127.0.0.1:8000/v1', '--model-id', 'qwen'];
  await expect(
    parse(
      '--problems=5',
      '--dataset',
      import.meta.filename,
      '--seed=3',
      '--concurrency=2',
      '--warm=0',
      ...model,
    ),
  ).resolves.toMatchObject({
    problems: 5,
    dataset: import.meta.filename,
    seed: 3,
    concurrency: 2,
    warm: 0,
    model: { kind: 'endpoint', baseUrl: 'http://127.0.0.1:8000/v1', modelId: 'qwen' },
  });
  await expect(
    parse(
      '--error-rate',
      '1',
      '--latency-ms',
      '5',
      '--temperature=0',
      '--timeout-ms=7',
      '--out',
      '/x/y.jsonl',
    ),
  ).resolves.toMatchObject({
    model: { kind: 'scripted', errorRate: 1, latencyMs: 5 },
    temperature: 0,
    timeoutMs: 7,
    out: '/x/y.jsonl',
  });
});

it('finds relative paths from where the command was started', async () => {
  await expect(parse('--out', 'x.jsonl')).resolves.toMatchObject({ out: '/home/me/x.jsonl' });
});

it('asks for help', async () => {
  await expect(parse('--help')).resolves.toBeUndefined();
  await expect(parse('-h')).resolves.toBeUndefined();
});

it.each([
  'problems',
  'dataset',
  'seed',
  'error-rate',
  'latency-ms',
  'base-url',
  'model-id',
  'temperature',
  'concurrency',
  'warm',
  'timeout-ms',
  'out',
  'help',
])('explains --%s', (name) => {
  expect(evaluationHelp).toMatch(new RegExp(`^  --${name} `, 'm'));
});

describe('refuses', () => {
  it.each([
    [['--problems', '0'], 'Expected `--problems` to be an integer from 1 to 1000000, got "0"'],
    [['--problems', '1.5'], 'Expected `--problems` to be an integer'],
    [['--problems', 'many'], 'got "many"'],
    [['--problems', ''], 'got ""'],
    [['--error-rate', '1.1'], 'Expected `--error-rate` to be a number from 0 to 1, got "1.1"'],
    [['--error-rate=-0.1'], 'got "-0.1"'],
    [['--concurrency', '0'], 'Expected `--concurrency`'],
    [['--timeout-ms', '0'], 'Expected `--timeout-ms`'],
    [['--dataset', '/no/such/file'], 'Expected `--dataset` to be an existing file, got "/no/such/file"'],
    [['--dataset', import.meta.dirname], 'Expected `--dataset` to be an existing file'],
    [['--base-url', 'localhost:8000'], 'Expected `--base-url` to be an http or https URL'],
    [
      ['--base-url', 'http://localhost'],
      'Expected `--model-id` to be the name of a model at --base-url, got undefined',
    ],
    [['--model-id', 'qwen'], 'Expected `--base-url` to be the URL'],
    [
      ['--base-url', 'http://localhost', '--model-id', 'm', '--error-rate', '0'],
      'Expected `--error-rate` to be absent: it is for the scripted model only',
    ],
    [['--prolbems', '5'], "Unknown option '--prolbems'"],
    [['5'], 'Unexpected argument'],
  ])('%j', async (args, message) => {
    await expect(parse(...args)).rejects.toMatchObject({
      code: 'ART_INVALID_OPTION',
      message: expect.stringContaining(message) as string,
    });
  });
});
