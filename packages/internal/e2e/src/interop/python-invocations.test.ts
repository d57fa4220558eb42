import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LocalAgentOptions, LocalRuntime } from '@art/local';
import { shortlist } from '@art/tooling/thorough';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { awsEnvironment } from '../aws/aws-environment.fixture.ts';
import { pythonRuntimeAgent, scriptedAgent, startInteropRuntime } from './interop-runtime.fixture.ts';
import { isPythonMissing, pythonExecutable } from './provided-python.fixture.ts';
import { startPython, type PythonProcess } from './python-process.ts';

type StepOutcome = { value: unknown } | { raises: string; message: string };

let local: LocalRuntime;
let driver: PythonProcess | undefined;
let stateDir: string;

beforeAll(async () => {
  stateDir = await mkdtemp(join(tmpdir(), 'art-records-'));
  const keepingRecords = (agent: LocalAgentOptions): LocalAgentOptions => ({
    ...agent,
    env: { ...agent.env, STATE_DIR: stateDir },
  });
  local = await startInteropRuntime({
    typescript: keepingRecords(scriptedAgent),
    python: keepingRecords(pythonRuntimeAgent(pythonExecutable)),
  });
});

afterAll(async () => {
  await driver?.[Symbol.asyncDispose]();
  await local?.close();
  await rm(stateDir, { recursive: true, force: true, maxRetries: 10 });
  vi.unstubAllEnvs();
});

// One expectation for both: what Python's client sees of ours is what it sees of Python's own app.
describe.skipIf(isPythonMissing).each(shortlist(['typescript', 'python'], 1))(
  "the published AgentCoreHttpClient on an agent in %s's RIP",
  (agent) => {
    const driveSession = async (
      steps: (session: { session_id: string }) => object[],
    ): Promise<StepOutcome[]> => {
      const session_id = randomUUID();
      return (await drive(agent, [...steps({ session_id }), { kind: 'stop', session_id }])).slice(0, -1);
    };
    const echo = { do: 'return', value: { reward: 0.25, text: 'é 日本 😀', nested: [null, true, {}] } };

    it('runs in the foreground and in the background', async () => {
      const outcomes = await driveSession((session) => [
        { kind: 'start', ...session, payload: echo },
        { kind: 'start', ...session, payload: echo, background: true },
        { kind: 'start', ...session, payload: { do: 'runs' }, background: true },
      ]);
      expect(outcomes).toMatchObject([{ value: echo.value }, { value: echo.value }, { value: { runs: 3 } }]);
    });

    it('runs a repeated start once, and tells another client', async () => {
      const outcomes = await driveSession((session) => {
        const start = { kind: 'start', ...session, invocation_id: 'a', background: true };
        return [
          { ...start, payload: { do: 'gate' }, until: 'started' },
          { ...start, payload: { do: 'gate' }, until: 'started' },
          { kind: 'get', ...session, invocation_id: 'a', until: 'asked' },
          { kind: 'start', ...session, payload: { do: 'open' } },
          { kind: 'get', ...session, invocation_id: 'a' },
          // Whatever a repeat carries, and however it asks: the first start stands.
          { ...start, payload: { do: 'throw' }, background: false },
          { kind: 'start', ...session, payload: { do: 'runs' } },
          { kind: 'get', ...session, invocation_id: 'never-started', until: 'asked' },
        ];
      });
      const live = { value: { version: 1, invocation_id: 'a', status: 'in_progress' } };
      expect(outcomes).toMatchObject([
        live,
        live,
        live,
        { value: { reward: 1 } },
        { value: { runs: 2 } },
        { value: { runs: 2 } },
        { value: { runs: 3 } },
        { value: { version: 1, invocation_id: 'never-started', status: 'not_found' } },
      ]);
    });

    it('runs one start once that comes many times at once', async () => {
      const [starts, after] = await driveSession((session) => [
        {
          kind: 'together',
          times: 40,
          step: { ...session, invocation_id: 'b', payload: { do: 'runs' }, background: true },
        },
        { kind: 'start', ...session, payload: { do: 'runs' } },
      ]);
      const { value } = starts as { value: unknown[] };
      expect(value).toHaveLength(40);
      expect(new Set(value.map((answer) => JSON.stringify(answer))).size).toBe(1);
      expect(value[0]).toMatchObject({ runs: 1 });
      expect(after).toMatchObject({ value: { runs: 2 } });
    });

    it('reports what its handler failed with', async () => {
      const outcomes = await driveSession((session) => [
        { kind: 'start', ...session, payload: { do: 'throw' } },
        { kind: 'start', ...session, payload: { do: 'throw' }, background: true },
        { kind: 'start', ...session, payload: { do: 'nan' }, background: true },
        { kind: 'start', ...session, payload: { do: 'return', value: null } },
      ]);
      const failed = {
        raises: 'InvocationError',
        message: expect.stringContaining('the tool failed') as string,
      };
      expect(outcomes).toMatchObject([failed, failed, { raises: 'InvocationError' }, { value: null }]);
    });

    it('is interrupted where its process died', async () => {
      const outcomes = await driveSession((session) => [
        { kind: 'start', ...session, invocation_id: 'c', payload: { do: 'exit' }, background: true },
        { kind: 'get', ...session, invocation_id: 'c', until: 'asked' },
        { kind: 'start', ...session, invocation_id: 'c', payload: echo, background: true },
      ]);
      // The start itself may see the death: it polls until there is an end.
      expect(outcomes[0]).toHaveProperty('raises');
      expect(outcomes[1]).toMatchObject({ value: { version: 1, invocation_id: 'c', status: 'interrupted' } });
      expect(outcomes[2]).toMatchObject({
        raises: 'InvocationError',
        message: expect.stringContaining('interrupted') as string,
      });
    });

    it('refuses an envelope that breaks the protocol', async () => {
      const good = { version: 1, operation: 'get', invocation_id: 'd' };
      const bad = [
        { ...good, version: 2 },
        { ...good, version: true },
        { ...good, operation: 'stop' },
        { ...good, invocation_id: '../d' },
        { ...good, background: false },
        { ...good, more: 1 },
        'text',
        null,
      ];
      const outcomes = await driveSession((session) =>
        bad.map((envelope) => ({ kind: 'envelope', ...session, envelope })),
      );
      for (const outcome of outcomes) {
        expect(outcome).toMatchObject({
          message: expect.stringContaining('error (400) from runtime') as string,
        });
      }
    });
  },
);

describe.skipIf(isPythonMissing)('records of invocations', () => {
  it.each(
    shortlist(
      [
        ['typescript', 'python'],
        ['python', 'typescript'],
      ],
      1,
    ),
  )('that %s wrote are read by %s', async (writer, reader) => {
    const session_id = randomUUID();
    const start = { kind: 'start', session_id, background: true };
    const value = { scores: [0.5], text: 'é 日本 😀 "\\', huge: 2n ** 70n, small: 1e-7 };
    await drive(writer, [
      { ...start, invocation_id: 'done', payload: { do: 'return', value } },
      { ...start, invocation_id: 'failed', payload: { do: 'throw' } },
      { ...start, invocation_id: 'nothing', payload: { do: 'return', value: null } },
      { ...start, invocation_id: 'open', payload: { do: 'gate' }, until: 'started' },
      { kind: 'stop', session_id },
    ]);
    const get = (invocation_id: string): object => ({
      kind: 'get',
      session_id,
      invocation_id,
      until: 'asked',
    });
    const outcomes = await drive(reader, [
      get('done'),
      get('failed'),
      get('nothing'),
      get('open'),
      get('never'),
      { kind: 'stop', session_id },
    ]);
    const state = (status: string, invocation_id: string): object => ({ version: 1, invocation_id, status });
    expect(outcomes.slice(0, -1)).toEqual([
      { value: { ...state('completed', 'done'), result: value } },
      { value: { ...state('completed', 'failed'), error: 'the tool failed' } },
      { value: { ...state('completed', 'nothing'), result: null } },
      { value: state('interrupted', 'open') },
      { value: state('not_found', 'never') },
    ]);
  });
});

async function drive(agent: string, steps: object[]): Promise<StepOutcome[]> {
  driver ??= startPython(
    pythonExecutable,
    join(import.meta.dirname, 'drive-invocations.py'),
    awsEnvironment(local.endpoint),
  );
  const outcomes = await driver.ask({ runtime_arn: local.arnOf(agent), steps });
  return outcomes as StepOutcome[];
}
