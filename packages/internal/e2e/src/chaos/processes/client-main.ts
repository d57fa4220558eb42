/** `TASK_FILE LIFE`: runs or resumes a journaled batch and writes every item down before it acknowledges it. Killed at any time. */
import { readFileSync } from 'node:fs';
import { ArtError, FileJournal, RolloutClient, StoreJournal, type BatchItem } from '@art/client';
import { HttpAgentRuntime } from '@art/local';
import { S3ResultStore } from '@art/store-s3';
import { appendLine } from '../evidence/durable-lines.ts';
import type { ClientLine } from '../evidence/client-line.ts';
import type { ChaosPayload } from '../round/chaos-payload.ts';
import { chaosExpId } from '../round/fault-plans.ts';
import { chaosBucket, type ClientTask } from './client-task.ts';

type ClientEvent = ClientLine extends infer Line
  ? Line extends ClientLine
    ? Omit<Line, 'life' | 'atMs'>
    : never
  : never;

const [taskFile = '', lifeText = '0'] = process.argv.slice(2);
const life = Number(lifeText);
const task = JSON.parse(readFileSync(taskFile, 'utf8')) as ClientTask;

const write = (event: ClientEvent): void => appendLine(task.outputFile, { life, atMs: Date.now(), ...event });

const store = new S3ResultStore({ endpoint: task.endpoint });
const journal =
  task.journal.kind === 'file'
    ? new FileJournal({ directory: task.journal.directory })
    : new StoreJournal({ store, bucket: chaosBucket, commitIntervalMs: 50 });
const { endpoint, agentRuntimeArn } = task;
const client = new RolloutClient({
  agentRuntimeArn,
  ...(task.transport === 'http'
    ? { runtime: new HttpAgentRuntime({ endpoint, agentRuntimeArn }), tpsLimit: 100 }
    : {}),
  store,
  bucket: chaosBucket,
  expId: chaosExpId,
  watch: { lagBoundMs: 300, fetchGiveUpMs: 8_000 },
  stopTimeoutMs: 5_000,
  liveness: { firstAfterMs: 2_000, everyMs: 1_500, callsPerSecond: 20 },
  onWarning: () => undefined,
});

try {
  await consume(await begin());
  write({ event: 'ended', how: 'complete' });
} catch (error) {
  const code = ArtError.isInstance(error) ? error.code : undefined;
  const message = error instanceof Error ? error.message : String(error);
  write({ event: 'ended', how: code === 'ART_JOURNAL_LOCKED' ? 'locked' : 'failed', code, message });
  process.exitCode = 1;
} finally {
  await client.close();
  await store.close();
}

/** A run that another life has begun is resumed. */
async function begin(): Promise<{ items: AsyncIterable<BatchItem>; first: IteratorResult<BatchItem, void> }> {
  const choice = { journal, runId: task.runId };
  const options = {
    maxConcurrentSessions: task.concurrency,
    timeoutMs: task.timeoutMs,
    acknowledge: task.acknowledge,
    retry: {
      lost: Infinity,
      throttled: Infinity,
      timeout: Infinity,
      rejected: Infinity,
      invalid_result: Infinity,
      agent_error: 0,
      infra_error: Infinity,
    },
    retryDelayMs: () => 200,
    overrides: (_: ChaosPayload, __: number, attempt: number) => ({ chaos_attempt: attempt }),
  };
  const run = client.runBatch(task.payloads, { ...options, journal: choice });
  try {
    write({ event: 'began', pid: process.pid, as: 'run' });
    return { items: run, first: await run.next() };
  } catch (error) {
    if (!ArtError.isInstance(error) || error.code !== 'ART_JOURNAL_EXISTS') throw error;
  }
  write({ event: 'began', pid: process.pid, as: 'resume' });
  const resumed = client.resume(choice, task.payloads, options);
  return { items: resumed, first: await resumed.next() };
}

async function consume({ items, first }: Awaited<ReturnType<typeof begin>>): Promise<void> {
  if (first.done === true) return;
  let previous = await take(first.value);
  for await (const item of items) {
    if (task.acknowledge === 'next') write({ event: 'acknowledged', n: previous });
    previous = await take(item);
  }
  if (task.acknowledge === 'next') write({ event: 'acknowledged', n: previous });
}

async function take(item: BatchItem): Promise<number> {
  const { index: n, outcome, attempt, sessionId, resultKey } = item;
  const document =
    outcome.kind === 'ok' ? (outcome.document as { attempt_id?: string; proof?: string }) : undefined;
  write({
    event: 'yielded',
    n,
    outcome: outcome.kind,
    code: outcome.kind === 'ok' ? undefined : outcome.error.code,
    message: outcome.kind === 'ok' ? undefined : outcome.error.message.slice(0, 300),
    attempt,
    sessionId,
    resultKey,
    attemptId: document?.attempt_id,
    proof: document?.proof,
  });
  if (task.acknowledge === 'explicit') {
    await item.acknowledge();
    write({ event: 'acknowledged', n });
  }
  return n;
}
