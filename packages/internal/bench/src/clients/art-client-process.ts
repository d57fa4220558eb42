/**
 * `RolloutClient` of `@art/client` in its default options, alone in a process; `--journal` records the batch in files, `--knowing`
 * tells it the limit of the endpoint.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { createAgentCoreRuntime, FileJournal, RolloutClient, type AgentRuntime } from '@art/client';
import type { RuntimeEvent } from '@art/protocol';
import type { ClientTask } from './client-task.ts';
import { ConsumerPace } from './consumer-pace.ts';
import { datasetInputIds } from './dataset-input-id.ts';
import { measureProcess } from './measure-process.ts';

const task = (await json(process.stdin)) as ClientTask;
const { agentRuntimeArn, bucket, expId, rollouts, maxConcurrentSessions, timeoutMs } = task;
const known = process.argv.includes('--knowing') ? task.knownPerSecond : undefined;
const limits = { tpsLimit: known ?? task.tpsLimit, dataPlanePerSecond: known };
const inputIds = task.inputIds === 'generated' ? undefined : datasetInputIds(rollouts, task.seed);
const pace = new ConsumerPace(task.consumerMs);

const directory = process.argv.includes('--journal')
  ? await mkdtemp(join(tmpdir(), 'art-bench-'))
  : undefined;

const result = await measureProcess(async (onItem) => {
  await using client = new RolloutClient({
    agentRuntimeArn,
    expId,
    ...limits,
    ...(task.results === 'store' ? { bucket } : { runtime: distantRuntime }),
  });
  const payloads = task.source === 'array' ? Array.from(numbered(rollouts)) : asyncNumbered(rollouts);
  const batch = client.runBatch(payloads, {
    maxConcurrentSessions,
    timeoutMs,
    journal: directory === undefined ? undefined : new FileJournal({ directory }),
    inputId: inputIds && ((_, index) => inputIds[index]!),
  });
  for await (const item of batch) {
    onItem(item.outcome.kind);
    await pace.takeItem();
  }
});
if (directory !== undefined) await rm(directory, { recursive: true, maxRetries: 10 });
console.log(JSON.stringify(result));

// The endpoint stands for AWS, although it is on this machine, where questions are asked more often.
function distantRuntime(_: unknown, onEvent: (event: RuntimeEvent) => void): AgentRuntime {
  const runtime = createAgentCoreRuntime({ agentRuntimeArn, ...limits, onEvent });
  return Object.defineProperty(runtime, 'isLocal', { value: false });
}

function* numbered(count: number): Generator<{ n: number }> {
  for (let n = 0; n < count; n += 1) yield { n };
}

async function* asyncNumbered(count: number): AsyncGenerator<{ n: number }> {
  for (let n = 0; n < count; n += 1) yield await Promise.resolve({ n });
}
