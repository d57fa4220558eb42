import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startMockModel } from '@art/mock-model';
import { expect, it, onTestFinished, vi } from 'vitest';
import { runArt } from '../eval/art-eval.fixture.ts';
import { startOtlpReceiver } from './otlp-receiver.fixture.ts';

it('art eval --otel: a sample is one trace, with its agent in it, and everything is sent before the command ends', async () => {
  const cwd = await mkdtemp(join(tmpdir(), 'art-otel-'));
  onTestFinished(() => rm(cwd, { recursive: true, force: true, maxRetries: 10 }));
  const model = await startMockModel({ reply: [{ turns: ['yes'] }] });
  onTestFinished(() => model.close());
  const receiver = await startOtlpReceiver();
  onTestFinished(() => receiver[Symbol.asyncDispose]());
  // The service of each process is left to the command.
  for (const [name, value] of Object.entries(receiver.env('')))
    vi.stubEnv(name, value === '' ? undefined : value);
  onTestFinished(() => void vi.unstubAllEnvs());
  await writeFile(join(cwd, 'tasks.jsonl'), '{"id":"a","payload":{"prompt":"right","answer":"yes"}}\n');
  const agent = join(import.meta.dirname, '../eval/eval-agent.fixture.ts');
  const flags = ['--tasks', 'tasks.jsonl', '--out', 'run', '--base-url', model.baseUrl, '--model-id', 'mock'];
  // Telemetry concerns all of a process.
  const { code, output, errors } = await runArt(
    { cwd, env: {} },
    'eval',
    agent,
    ...flags,
    '--json',
    '--otel',
  );
  expect({ code, errors }).toMatchObject({ code: 0 });
  expect(errors).toContain('Traces go over OTLP to http://127.0.0.1:');
  // Nothing but the results is on stdout.
  expect(JSON.parse(output)).toMatchObject({ mean: { value: 1 } });
  // What was sent before the command ended may be read later.
  await expect
    .poll(() => receiver.spans.map(({ service, name }) => `${service}: ${name}`).toSorted())
    .toEqual([
      'agent: invoke_agent',
      'art eval: art.reward',
      'art eval: art.rollout',
      'art eval: chat mock',
      'art eval: invoke_agent agent',
    ]);
  expect(new Set(receiver.spans.map(({ traceId }) => traceId)).size).toBe(1);
  // Neither the command line of `art` nor that of the agent leaves this machine.
  expect(receiver.bodies.join()).not.toMatch(/command_args|process\.command|eval-agent\.fixture/);
});
