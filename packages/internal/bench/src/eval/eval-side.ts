/**
 * `SIDE SAMPLES AGENT`: one side of the measurement, run as its own process; prints an `EvalMeasurement`. The agent is in this process,
 * or behind the AWS SDKs at the endpoint of the environment.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileJournal, RolloutClient, type RolloutClientOptions } from '@art/client';
import { evaluate } from '@art/eval';
import { type AgentRuntime, buildResultKey } from '@art/protocol';
import { MemoryResultStore } from '@art/store';

export type EvalSide = 'runBatch' | 'runBatch with a journal' | 'evaluate' | 'evaluate with a journal';

export interface EvalMeasurement {
  samples: number;
  cpuMs: number;
  wallMs: number;
  /** In use after a collection, at every tenth of the samples. */
  heapMegabytes: number[];
}

export type EvalAgent = 'in-process' | 'aws';

const [side, count, agent] = process.argv.slice(2) as [EvalSide, string, EvalAgent];
const samples = Number(count);
const maxConcurrentSessions = 64;
const folder = await mkdtemp(join(tmpdir(), 'art-bench-eval-'));

function inProcess(): Pick<RolloutClientOptions, 'runtime' | 'store'> {
  const text = 'The answer is 42, for six times seven is that. '.repeat(20);
  const document = JSON.stringify({ status_code: 200, stop_reason: 'end_turn', rewards: [1], text });
  const store = new MemoryResultStore();
  const runtime: AgentRuntime = {
    isLocal: true,
    invoke: async ({ sessionId, body }) => {
      const { _rollout: rollout } = JSON.parse(body) as { _rollout: Record<string, string> };
      const key = buildResultKey({ expId: rollout['exp_id']!, inputId: rollout['input_id']!, sessionId });
      setTimeout(() => void store.put({ bucket: 'bench', key }, document), 50);
      return { body: JSON.stringify({ status: 'processing', s3_bucket: 'bench', result_key: key }) };
    },
    stop: async () => ({ kind: 'stopped' }),
  };
  return { runtime, store };
}

const client = new RolloutClient({
  ...(agent === 'aws'
    ? {
        agentRuntimeArn: 'arn:aws:bedrock-agentcore:us-west-2:123456789012:runtime/bench-abc123',
        tpsLimit: 10_000,
      }
    : inProcess()),
  bucket: 'bench',
  expId: 'bench',
  watch: { lagBoundMs: 100 },
});
const heapMegabytes: number[] = [];
/** Cost of the collections themselves, which is no part of either side. */
const collected = { cpuMs: 0, wallMs: 0 };
let seen = 0;
const onSample = (): void => {
  seen += 1;
  if (seen % Math.ceil(samples / 10) !== 0) return;
  const [cpu, startedAtMs] = [process.cpuUsage(), performance.now()];
  globalThis.gc!();
  heapMegabytes.push(process.memoryUsage().heapUsed / 1e6);
  const { user, system } = process.cpuUsage(cpu);
  collected.cpuMs += (user + system) / 1_000;
  collected.wallMs += performance.now() - startedAtMs;
};
const journal = side.endsWith('journal')
  ? new FileJournal({ directory: join(folder, 'journal') })
  : undefined;

try {
  const [cpu, startedAtMs] = [process.cpuUsage(), performance.now()];
  if (side.startsWith('evaluate')) {
    await evaluate({
      agent: { client, endsWithProcess: journal === undefined },
      tasks: function* () {
        for (let n = 0; n < samples; n += 1) yield { id: `task-${n}`, payload: payloadOf(n), expected: '42' };
      },
      folder: join(folder, 'run'),
      concurrency: maxConcurrentSessions,
      control: false,
      onSample,
    });
  } else {
    const payloads = (function* () {
      for (let n = 0; n < samples; n += 1) yield payloadOf(n);
    })();
    for await (const _ of client.runBatch(payloads, { maxConcurrentSessions, journal })) onSample();
  }
  const { user, system } = process.cpuUsage(cpu);
  const wallMs = performance.now() - startedAtMs - collected.wallMs;
  const cpuMs = (user + system) / 1_000 - collected.cpuMs;
  const measured: EvalMeasurement = { samples, cpuMs, wallMs, heapMegabytes };
  console.log(JSON.stringify(measured));
} finally {
  await client.close();
  await rm(folder, { recursive: true, force: true });
}

function payloadOf(n: number): Record<string, unknown> {
  return { prompt: `What is 6 times 7, for the ${n}th time?`, answer: '42' };
}
