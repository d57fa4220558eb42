import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { CleanupStack } from '@art/ground';
import { expect } from 'vitest';
import { reachingClient, startReachingAgents } from './reach-bed.fixture.ts';
import { SessionFront } from './session-front.fixture.ts';

const sessionUrl = /^(http:\/\/127\.0\.0\.1:\d+\/sessions\/[^/?]+\/v1)(\/.*)$/;

/**
 * From here on every model call that `fetch` sends to a session of a gateway goes through the socket of a session on the local
 * AgentCore, with its limits on: it enters at the agent's end, and leaves at the client's. Anyone who sends it notices nothing.
 */
export class ThroughSockets implements AsyncDisposable {
  /** Calls that went this way. */
  calls = 0;
  readonly #parts = new CleanupStack();
  readonly #ways = new Map<string, Promise<string>>();
  readonly #fetch = globalThis.fetch;
  #open!: (target: string) => Promise<string>;
  #expectWithinLimits!: () => void;

  static async install(): Promise<ThroughSockets> {
    const sockets = new ThroughSockets();
    const agent = join(import.meta.dirname, 'held-agent.ts');
    const command = [process.execPath, '--conditions=@art/source', agent];
    const local = await startReachingAgents({ agents: { reaching: { command } } });
    sockets.#parts.defer(() => local.close());
    const front = await SessionFront.start();
    sockets.#parts.defer(() => front.close());
    const client = reachingClient(local, { url: front.url });
    sockets.#parts.defer(() => client.close());
    sockets.#open = async (target) => {
      const sessionId = `gateway-${randomUUID()}`;
      const { tellAt, baseUrl } = front.lead(sessionId, target);
      await client.invoke({ tellAt }, { sessionId });
      return baseUrl;
    };
    sockets.#expectWithinLimits = () =>
      expect(local.metrics().sockets).toMatchObject({ dropped: 0, opened: sockets.#ways.size });
    globalThis.fetch = (input, init) => sockets.#send(input, init);
    return sockets;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    globalThis.fetch = this.#fetch;
    await using _parts = this.#parts;
    this.#expectWithinLimits();
  }

  async #send(input: Parameters<typeof fetch>[0], init: RequestInit | undefined): Promise<Response> {
    const url = input instanceof Request ? input.url : String(input);
    const [, target, rest] = sessionUrl.exec(url) ?? [];
    if (target === undefined) return this.#fetch(input, init);
    this.calls += 1;
    let way = this.#ways.get(target);
    if (way === undefined) this.#ways.set(target, (way = this.#open(target)));
    const onward = `${await way}${rest}`;
    return this.#fetch(input instanceof Request ? new Request(onward, input) : onward, init);
  }
}
