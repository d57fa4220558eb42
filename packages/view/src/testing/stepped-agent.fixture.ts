import type { EvaluatedAgent } from '@art/eval';

type RunBatch = EvaluatedAgent['client']['runBatch'];
type BatchItem = ReturnType<RunBatch> extends AsyncGenerator<infer Item> ? Item : never;

/** An agent that nothing is sent to: its rollouts settle when they are told to, with rewards of 1 and 0 in turn. */
export function steppedAgent(steps: readonly Promise<void>[]): EvaluatedAgent {
  async function* runBatch(
    payloads: Parameters<RunBatch>[0],
    options: Parameters<RunBatch>[1],
  ): AsyncGenerator<BatchItem, void, undefined> {
    const under: Promise<BatchItem | undefined>[] = [];
    let index = 0;
    for await (const _ of payloads) under.push(settle(index++, steps, options));
    const left = new Map(under.map((item, at) => [at, item.then((value) => ({ at, value }))]));
    while (left.size > 0) {
      const { at, value } = await Promise.race(left.values());
      left.delete(at);
      if (value !== undefined) yield value;
    }
  }
  const client = { runBatch, resume: () => undefined } as unknown as EvaluatedAgent['client'];
  return { client, endsWithProcess: true };
}

async function settle(
  index: number,
  steps: readonly Promise<void>[],
  { onEvent }: Parameters<RunBatch>[1],
): Promise<never> {
  const about = { index, member: 0, attempt: 0, inputId: `input-${index}`, sessionId: `session-${index}` };
  const submittedAtMs = Date.now();
  onEvent?.({ type: 'submitted', atMs: submittedAtMs, ...about });
  onEvent?.({ type: 'accepted', atMs: submittedAtMs, ...about });
  await steps[index];
  const document = { status_code: 200, stop_reason: 'end_turn', reward: (index + 1) % 2 };
  const outcome = { kind: 'ok', document, reward: document.reward } as const;
  onEvent?.({ type: 'settled', atMs: Date.now(), outcome: outcome as never, ...about });
  onEvent?.({ type: 'session_stopped', atMs: Date.now(), result: 'stopped', ...about });
  const settledMs = Date.now() - submittedAtMs;
  const timings = { submittedAtMs, acceptedMs: 1, noticedMs: 2, settledMs, stoppedMs: undefined };
  const made = { ...about, invocationId: 'i', resultKey: undefined, outcome, timings };
  const attempt = { ...made, throttled: 0, resent: 0 };
  return {
    id: String(index),
    ...attempt,
    attempts: [attempt],
    acknowledge: () => Promise.resolve(),
    trajectory: () => Promise.reject(new Error('no gateway')),
  } as never;
}
