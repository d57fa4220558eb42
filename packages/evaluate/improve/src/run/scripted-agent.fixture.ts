import { ArtError } from '@art/ground';
import { type RolloutOutcome } from '@art/protocol';
import type { EvaluateOptions } from '@art/eval';
import type { Prompts } from '../search/prompt-search.ts';

/** Outcome of a rollout in a script. */
export type Script = (payload: Record<string, unknown>, prompts: Prompts) => RolloutOutcome;

type Agent = Extract<EvaluateOptions['agent'], { endsWithProcess?: unknown }>;

interface BatchOptions {
  inputId: () => string;
  overrides: () => { prompts: Prompts };
  signal: AbortSignal;
}

/** An agent that nothing is sent to: payloads settle one after the other, as the script says. */
export function scriptedAgent(script: Script): { agent: Agent; sent: Prompts[] } {
  const sent: Prompts[] = [];
  async function* items(payloads: AsyncIterable<Record<string, unknown>>, options: BatchOptions) {
    let index = 0;
    for await (const payload of payloads) {
      options.signal.throwIfAborted();
      const id = options.inputId();
      const { prompts } = options.overrides();
      sent.push(prompts);
      const timings = { submittedAtMs: 0, acceptedMs: 1, noticedMs: 2, settledMs: 3, stoppedMs: 4 };
      const trajectory = (): Promise<never> => Promise.reject(new Error('no gateway'));
      const attempt = { member: 0, attempt: 0, inputId: id, sessionId: 'session', timings, trajectory };
      const item = { ...attempt, id, index, outcome: script(payload, prompts), throttled: 0, resent: 0 };
      yield {
        ...item,
        attempts: [item],
        acknowledge: () => Promise.resolve(),
        finished: () => Promise.resolve(timings),
      };
      index += 1;
    }
  }
  const runBatch = (payloads: AsyncIterable<Record<string, unknown>>, options: BatchOptions) =>
    Object.assign(items(payloads, options), {
      limit: 1,
      isPaused: false,
      progress: { active: 0 },
      pause: () => undefined,
      resume: () => undefined,
      activeAttempts: () => [],
    });
  const client = { runBatch, resume: runBatch } as unknown as Agent['client'];
  return { agent: { client, endsWithProcess: true }, sent };
}

/** The agent server's outcome for a handler that asks for one prompt. */
export function okOutcome(document: Record<string, unknown>, defaults: Prompts): RolloutOutcome {
  return {
    kind: 'ok',
    document: { status_code: 200, stop_reason: 'end_turn', prompts: defaults, ...document },
    reward: document['reward'] as number | undefined,
  };
}

export function lostOutcome(): RolloutOutcome {
  return { kind: 'lost', error: new ArtError({ code: 'ART_ROLLOUT_TIMEOUT', message: 'It was lost.' }) };
}
