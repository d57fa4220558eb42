import { ArtError, type RolloutOutcome } from '@art/protocol';
import type { BatchItem, RolloutEvent } from '@art/rollout';
import type { EvaluatedAgent } from './evaluated-agent.ts';

type Batch = EvaluatedAgent['client']['runBatch'];

/** What becomes of a payload; called once for each that is sent. */
export type Script = (
  payload: Record<string, unknown>,
  index: number,
) => RolloutOutcome | Promise<RolloutOutcome>;

/** An agent that nothing is sent to: each payload settles as the script says, in the order in which they do. */
export function scriptedAgent(script: Script): {
  agent: EvaluatedAgent;
  sent: Record<string, unknown>[];
} {
  const sent: Record<string, unknown>[] = [];
  async function* runBatch(
    payloads: AsyncIterable<Record<string, unknown>>,
    { signal, onEvent }: { signal?: AbortSignal; onEvent?: (event: RolloutEvent) => void },
  ): AsyncGenerator<BatchItem, void, undefined> {
    const running = new Set<Promise<BatchItem>>();
    const ready: BatchItem[] = [];
    let wake = Promise.withResolvers<void>();
    let isOver = false;
    let failure: Error | undefined;
    const begin = async (payload: Record<string, unknown>, index: number): Promise<BatchItem> => {
      sent.push(payload);
      const sessionId = `session-of-${index}`.padEnd(33, '0');
      const about = { index, member: 0, attempt: 0, inputId: `input-${index}`, sessionId };
      const submittedAtMs = Date.now();
      onEvent?.({ type: 'submitted', atMs: submittedAtMs, ...about });
      onEvent?.({ type: 'accepted', atMs: submittedAtMs + 1, ...about });
      const outcome = await script(payload, index);
      onEvent?.({ type: 'settled', atMs: submittedAtMs + 3, outcome, ...about });
      onEvent?.({ type: 'session_stopped', atMs: submittedAtMs + 4, result: 'stopped', ...about });
      const attempt = {
        attempt: 0,
        sessionId,
        invocationId: 'invocation',
        resultKey: 'key',
        outcome,
        timings: { submittedAtMs, acceptedMs: 1, noticedMs: 2, settledMs: 3, stoppedMs: 4 },
        throttled: 0,
        resent: 0,
        trajectory: () => Promise.reject(new Error('no gateway')),
      };
      return {
        id: String(index),
        ...attempt,
        index,
        inputId: about.inputId,
        attempts: [attempt],
        acknowledge: () => Promise.resolve(),
        finished: () => Promise.resolve(attempt.timings),
      };
    };
    const feeding = (async () => {
      let index = 0;
      for await (const payload of payloads) {
        const started = begin(payload, index++);
        const tracked: Promise<BatchItem> = started.then((item) => {
          running.delete(tracked);
          ready.push(item);
          wake.resolve();
          return item;
        });
        running.add(tracked);
      }
    })()
      .catch((error: unknown) => (failure = error as Error))
      .finally(() => {
        isOver = true;
        wake.resolve();
      });
    const onAbort = (): void => wake.resolve();
    signal?.addEventListener('abort', onAbort);
    try {
      while (!isOver || running.size > 0 || ready.length > 0) {
        signal?.throwIfAborted();
        const item = ready.shift();
        if (item !== undefined) yield item;
        else {
          wake = Promise.withResolvers<void>();
          if (ready.length === 0 && !(isOver && running.size === 0)) await wake.promise;
        }
      }
      await feeding;
      signal?.throwIfAborted();
      if (failure !== undefined) throw failure;
    } finally {
      signal?.removeEventListener('abort', onAbort);
    }
  }
  const client: EvaluatedAgent['client'] = {
    runBatch: runBatch as unknown as Batch,
    resume: () => {
      throw new Error('Nothing of it outlives its process.');
    },
  };
  return { agent: { client, endsWithProcess: true }, sent };
}

export function okOutcome(document: Record<string, unknown>): RolloutOutcome {
  const reward = document['reward'] as number | undefined;
  return {
    kind: 'ok',
    document: { status_code: 200, stop_reason: 'end_turn', ...document },
    reward,
  };
}

export function failedOutcome(
  kind: 'lost' | 'timeout' | 'throttled' | 'rejected' | 'infra_error',
): RolloutOutcome {
  return { kind, error: new ArtError({ code: 'ART_ROLLOUT_TIMEOUT', message: `It was ${kind}.` }) };
}
