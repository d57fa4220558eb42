import { join } from 'node:path';
import { parseResultDocument, type ResultDocument } from '@art/protocol';
import { S3ResultStore } from '@art/store-s3';
import type { LocalRuntime } from '@art/local';
import { shortlist } from '@art/tooling/thorough';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { awsEnvironment } from '../aws/aws-environment.fixture.ts';
import { expectAllStopped, scriptedAgent, startInteropRuntime } from './interop-runtime.fixture.ts';
import { isPythonMissing, pythonExecutable } from './provided-python.fixture.ts';
import { startPython, type PythonProcess } from './python-process.ts';

/** `BatchItem` of the Python client. */
interface PythonBatchItem {
  success: boolean;
  result: ResultDocument | null;
  error: string | null;
  index: number;
  elapsed: number;
}

const bucket = 'trainer-bucket';
let local: LocalRuntime;

beforeEach(async () => {
  local = await startInteropRuntime({ scripted: scriptedAgent });
});

afterEach(async () => {
  await local.close();
  vi.unstubAllEnvs();
});

describe.skipIf(isPythonMissing)('the published RolloutClient on our agent', () => {
  let python: PythonProcess;
  beforeAll(() => {
    python = startPython(pythonExecutable, join(import.meta.dirname, 'drive-agent.py'), {});
  });
  afterAll(() => python[Symbol.asyncDispose]());

  const drive = (method: string, job: Record<string, unknown>): Promise<unknown> =>
    python.ask({
      env: awsEnvironment(local.endpoint),
      method,
      client: {
        agent_runtime_arn: local.arnOf('scripted'),
        s3_bucket: bucket,
        exp_id: 'python-run/step-1',
        base_url: `${local.endpoint}/v1`,
        model_id: 'm',
        temperature: 0.5,
      },
      job,
    });

  describe.each(shortlist(['invoke', 'invoke_async'], 1))('%s', (method) => {
    it('gives the document that our own client reads', async () => {
      const value = {
        rewards: [0, 0.25],
        text: 'é 日本 😀',
        huge: 2n ** 70n,
        nested: { list: [null, true, {}] },
      };
      const session_id = 'python-client-session-0123456789abcdef';
      const answer = (await drive(method, {
        payload: { do: 'return', value },
        choices: { session_id, input_id: 'item 1&2', top_p: 0.9 },
      })) as Record<string, unknown>;

      expect(answer).toMatchObject({
        session_id,
        input_id: 'item 1&2',
        result_key: `python-run/step-1/item 1&2/${session_id}.json`,
        done: true,
        stop_sent: true,
      });
      expect(answer['result']).toEqual(await read(answer['result_key'] as string));
      expect(answer['result']).toMatchObject({
        ...value,
        status_code: 200,
        stop_reason: 'end_turn',
        input_id: 'item 1&2',
        s3_bucket: bucket,
        payload: {
          do: 'return',
          value,
          _rollout: { base_url: `${local.endpoint}/v1`, model_id: 'm', temperature: 0.5, top_p: 0.9 },
        },
      });
      await expectAllStopped(local, 1);
    });
  });

  describe.each(shortlist(['run_batch_async', 'run_batch'], 1))('%s', (method) => {
    it('gives every payload its item, failures as documents, and stops all sessions', async () => {
      const payloads = [
        { do: 'return', value: { rewards: 0.5, n: 0 } },
        { do: 'throw' },
        { do: 'return', value: { rewards: [1, 2], n: 2 } },
        { do: 'nan' },
        { do: 'large', bytes: 1_000_000 },
      ];
      const items = (await drive(method, { payloads, max_concurrent_sessions: 3 })) as PythonBatchItem[];

      const byIndex = items.toSorted((a, b) => a.index - b.index);
      expect(byIndex.map((item) => [item.index, item.success, item.error])).toEqual(
        payloads.map((_, index) => [index, true, null]),
      );
      const documents = byIndex.map((item) => item.result!);
      expect(documents.map((document) => document.status_code)).toEqual([200, 500, 200, 200, 200]);
      expect(documents[0]).toMatchObject({ rewards: 0.5, n: 0 });
      expect(documents[1]).toMatchObject({
        stop_reason: 'the tool failed',
        traceback: expect.stringMatching(/^Error: the tool failed\n.*scripted-agent\.ts/s),
      });
      expect(documents[2]).toMatchObject({ rewards: [1, 2], n: 2 });
      expect(documents[3]).toMatchObject({ rewards: [1, null] });
      expect(documents[4]!['text']).toHaveLength(1_000_000);
      for (const document of documents) expect(document).toEqual(await read(document.result_key!));
      await expectAllStopped(local, payloads.length);
    });
  });

  it('reports a payload that the agent refuses and continues', async () => {
    const payloads = [{ do: 5 }, { do: 'return', value: { rewards: 1 } }];
    const items = (await drive('run_batch', { payloads, max_concurrent_sessions: 2 })) as PythonBatchItem[];
    const [refused, done] = items.toSorted((a, b) => a.index - b.index);
    expect(refused).toMatchObject({ success: false, result: null });
    expect(refused!.error).toMatch(/RuntimeClientError.*Received error \(400\) from runtime/s);
    expect(done).toMatchObject({ success: true, result: { rewards: 1 } });
  });
});

async function read(key: string): Promise<ResultDocument> {
  const store = new S3ResultStore();
  const text = await store.get({ bucket, key });
  await store.close();
  return parseResultDocument(text ?? '');
}
