import {
  type AgentRuntime,
  buildResultKey,
  type InvocationAnswer,
  type InvokeRequest,
  parseRipRequest,
  type StopOutcome,
} from '@art/protocol';
import type { ResultStore } from '@art/store';

interface Payload {
  n: number;
  /** Model calls. @default 1 */
  turns?: number;
  /** Each call begins its own conversation. */
  forks?: boolean;
  /** Waits until `release` is called. */
  hold?: boolean;
  /** Ends without an answer of the model. */
  fails?: boolean;
}

/** AgentCore and an agent in one object: sessions outlive the client that started them, and an invocation runs once. */
export class HeldAgents implements AgentRuntime {
  readonly isLocal = true;
  /** How often the handler ran for each invocation. */
  readonly runs = new Map<string, number>();
  readonly stops: string[] = [];
  readonly started: number[] = [];
  readonly #store: ResultStore;
  readonly #states = new Map<string, object>();
  readonly #working: Promise<void>[] = [];
  #released = Promise.withResolvers<void>();

  constructor(store: ResultStore) {
    this.#store = store;
  }

  /** Lets everybody continue that waits now or later. */
  release(): void {
    this.#released.resolve();
  }

  /** Lets everybody continue, and waits until nobody writes any more. */
  async close(): Promise<void> {
    this.release();
    await Promise.all(this.#working);
  }

  async invoke({ sessionId, body }: InvokeRequest): Promise<InvocationAnswer> {
    const payload = JSON.parse(body) as Payload & { _rollout: Record<string, string> };
    const { operation, invocationId } = parseRipRequest(payload)!;
    const { exp_id: expId = '', input_id: inputId = '', s3_bucket: bucket = '' } = payload._rollout ?? {};
    const key = operation === 'start' ? buildResultKey({ expId, inputId, sessionId }) : '';
    if (operation === 'start' && !this.#states.has(invocationId)) {
      this.#states.set(invocationId, { status: 'in_progress' });
      this.runs.set(invocationId, (this.runs.get(invocationId) ?? 0) + 1);
      this.started.push(payload.n);
      const working = this.#work(payload).then(async (document) => {
        await this.#store.put({ bucket, key }, JSON.stringify(document));
        this.#states.set(invocationId, { status: 'completed', result: document });
      });
      // Anyone who asks gets no result of it: the gateway or the store has gone before the agent.
      this.#working.push(working.catch(() => undefined));
    }
    const state = this.#states.get(invocationId) ?? { status: 'not_found' };
    const place = operation === 'start' ? { s3_bucket: bucket, result_key: key } : {};
    const answer = { version: 1, invocation_id: invocationId, ...state, ...place };
    return Promise.resolve({ body: JSON.stringify(answer) });
  }

  stop(sessionId: string): Promise<StopOutcome> {
    this.stops.push(sessionId);
    return Promise.resolve({ kind: 'stopped' });
  }

  async #work(payload: Payload & { _rollout: Record<string, string> }): Promise<object> {
    if (payload.hold === true) await this.#released.promise;
    if (payload.fails === true)
      return { status_code: 500, stop_reason: 'ZeroDivisionError', input: payload.n };
    let messages: object[] = [{ role: 'user', content: `Task ${payload.n}` }];
    for (let turn = 0; turn < (payload.turns ?? 1); turn += 1) {
      const answer = await fetch(`${payload._rollout['base_url']}/chat/completions`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${payload._rollout['api_key']}`,
        },
        body: JSON.stringify({ model: 'policy', messages }),
      });
      const { choices } = (await answer.json()) as { choices: { message: object }[] };
      messages.push(choices[0]!.message, { role: 'user', content: `Turn ${turn}` });
      if (payload.forks === true) messages = messages.slice(-1);
    }
    return { status_code: 200, stop_reason: 'end_turn', rewards: payload.n };
  }
}
