import { expect, it } from 'vitest';
import { capturedContext } from '../captured-context.fixture.ts';
import { runDoctor } from './doctor.ts';
import { exitCodes } from '../exit-codes.ts';

const flags = { agent: [], payload: '{}', train: 'local' as const, json: true };
const findingsOf = (output: string) =>
  Object.fromEntries(
    output
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { id?: string; verdict: string; seen: string })
      .map(({ id = 'summary', verdict, seen }) => [id, { verdict, seen }]),
  );

it('checks the way to training sessions: rights, model, a session, two passes, a sample, the stop', async () => {
  const context = capturedContext();
  expect(await runDoctor({ ...flags, session: true }, context)).toBe(exitCodes.ok);
  const found = findingsOf(context.output());
  expect(Object.keys(found)).toEqual([
    'training.credentials',
    'training.api',
    'training.model',
    'training.session',
    'training.pass',
    'training.sample',
    'training.stop',
    'summary',
  ]);
  expect(found['training.api']).toEqual({ verdict: 'ok', seen: 'no session runs' });
  expect(found['training.pass']).toEqual({
    verdict: 'ok',
    seen: 'twice the rows have twice the gradient: a sum',
  });
  expect(found['training.stop']).toMatchObject({ verdict: 'ok' });
});

it('opens no session, which costs money, without being told to', async () => {
  const context = capturedContext();
  expect(await runDoctor(flags, context)).toBe(exitCodes.ok);
  const found = findingsOf(context.output());
  expect(found['training.model']).toMatchObject({ verdict: 'ok' });
  for (const id of ['session', 'pass', 'sample', 'stop'])
    expect(found[`training.${id}`]).toMatchObject({ verdict: 'skipped' });
});

it('names what it has to be told', async () => {
  const context = capturedContext();
  await expect(runDoctor({ ...flags, train: undefined }, context)).rejects.toThrow(
    /`agent` to be a file such as agent\.ts, or --train/,
  );
  const sagemaker = { ...flags, train: 'sagemaker' as const, region: 'us-west-2' };
  await expect(runDoctor(sagemaker, context)).rejects.toThrow(/`--base-model`/);
});
