import { conversationTurns } from '../engine/conversation.ts';
import { SampleText } from '../engine/sample-text.ts';
import { microsecondsNow, stampAges } from '../engine/stamp.ts';
import { quantile } from '../../measure/quantile.ts';
import { singleCallBody, turnBody } from './call-body.ts';
import { CallSender } from './call-sender.ts';
import { sessionIdOf, type LoadResult, type LoadTask } from './load-task.ts';

const text = new SampleText();

/** Does a task: so many at a time, the next as soon as one is through. */
export async function runLoad(task: LoadTask): Promise<LoadResult> {
  const sender = new CallSender(task.url, task.concurrency, task.sessionPrefix);
  const latencies: number[] = [];
  const failures: string[] = [];
  const job = jobOf(task, sender, latencies);
  let next = 0;
  const startedMs = performance.now();
  const worker = async (): Promise<void> => {
    while (next < job.count) {
      const index = next++;
      try {
        await job.run(index, sessionIdOf(task.sessionPrefix ?? 'none', index));
      } catch (error) {
        failures.push(String(error));
      }
    }
  };
  await Promise.all(Array.from({ length: task.concurrency }, worker));
  const wallMs = performance.now() - startedMs;
  await sender.close();
  const sorted = Float64Array.from(latencies).toSorted();
  return {
    completed: job.count - failures.length,
    failed: failures.length,
    failure: failures[0],
    wallMs,
    latency: {
      p50: quantile(sorted, 0.5) ?? Number.NaN,
      p99: quantile(sorted, 0.99) ?? Number.NaN,
      max: sorted.at(-1) ?? Number.NaN,
      count: sorted.length,
    },
  };
}

interface Job {
  count: number;
  run(index: number, sessionId: string): Promise<void>;
}

function jobOf(task: LoadTask, sender: CallSender, latencies: number[]): Job {
  switch (task.kind) {
    case 'calls': {
      const body = singleCallBody(task.model, text);
      return {
        count: task.calls,
        run: async (_index, sessionId) => {
          const sentMs = performance.now();
          await sender.send(sessionId, body);
          latencies.push(performance.now() - sentMs);
        },
      };
    }
    case 'streams': {
      const body = singleCallBody(task.model, text);
      return {
        count: task.streams,
        run: (_index, sessionId) =>
          sender.send(sessionId, body, (chunk) => {
            const now = microsecondsNow();
            for (const age of stampAges(chunk.toString('latin1'), now)) latencies.push(age);
          }),
      };
    }
    case 'conversations':
      return {
        count: task.conversations,
        run: async (conversation, sessionId) => {
          for (let turn = 0; turn < conversationTurns; turn += 1) {
            const sentMs = performance.now();
            await sender.send(sessionId, turnBody(conversation, turn, text));
            latencies.push(performance.now() - sentMs);
          }
        },
      };
  }
}
