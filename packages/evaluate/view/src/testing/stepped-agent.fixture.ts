import type { EvaluatedAgent } from '@art/eval';

type RunBatch = EvaluatedAgent['client']['runBatch'];
type Run = ReturnType<RunBatch>;
type BatchItem = Run extends AsyncGenerator<infer Item> ? Item : never;
type Active = ReturnType<Run['activeAttempts']>[number];

/** An agent that nothing is sent to: its rollouts settle when they are told to, with rewards of 1 and 0 in turn. */
export function steppedAgent(steps: readonly Promise<void>[]): EvaluatedAgent {
  const runBatch = (payloads: Parameters<RunBatch>[0], options: Parameters<RunBatch>[1]): Run => {
    const active = new Map<number, Active>();
    const settle = async (index: number, id: string): Promise<BatchItem> => {
      const submittedAtMs = Date.now();
      const about = { member: 0, attempt: 0, sessionId: `session-${index}` };
      active.set(index, { id, ...about, timings: { submittedAtMs, acceptedMs: 0 } } as never);
      await steps[index];
      active.delete(index);
      const document = { status_code: 200, stop_reason: 'end_turn', reward: (index + 1) % 2 };
      const outcome = { kind: 'ok', document, reward: document.reward } as const;
      const settledMs = Date.now() - submittedAtMs;
      const timings = { submittedAtMs, acceptedMs: 1, noticedMs: 2, settledMs, stoppedMs: settledMs };
      const attempt = { ...about, invocationId: 'i', outcome, timings, throttled: 0, resent: 0 };
      return {
        id,
        index,
        ...attempt,
        attempts: [attempt],
        acknowledge: () => Promise.resolve(),
        finished: () => Promise.resolve(timings),
        trajectory: () => Promise.reject(new Error('no gateway')),
      } as never;
    };
    async function* items(): AsyncGenerator<BatchItem, void, undefined> {
      const left = new Map<number, Promise<{ at: number; item: BatchItem }>>();
      let index = 0;
      for await (const payload of payloads) {
        const at = index++;
        const item = settle(at, options.inputId?.(payload, at) ?? String(at));
        left.set(
          at,
          item.then((settled) => ({ at, item: settled })),
        );
      }
      while (left.size > 0) {
        const { at, item } = await Promise.race(left.values());
        left.delete(at);
        yield item;
      }
    }
    return Object.defineProperties(items(), {
      limit: { value: options.maxConcurrentSessions },
      isPaused: { value: false },
      progress: { get: () => ({ active: active.size }) },
      activeAttempts: { value: () => [...active.values()] },
    }) as never;
  };
  const client = { runBatch, resume: () => undefined } as unknown as EvaluatedAgent['client'];
  return { client, endsWithProcess: true };
}
