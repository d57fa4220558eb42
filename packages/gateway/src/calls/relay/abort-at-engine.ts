import { engineProfiles, type EngineFlavour } from '../../engines/engine-profiles.ts';
import type { Worker } from '../../routing/worker.ts';
import type { ProxyContext } from '../call/proxy-context.ts';

const patienceMs = 5_000;
const sniffedBytes = 4_096;

/** Reads the id that an engine gives an answer from the first bytes of its stream. */
export class RequestIdSniffer {
  readonly body: AsyncIterable<Uint8Array>;
  #start = '';

  constructor(body: AsyncIterable<Uint8Array>) {
    this.body = this.#watch(body);
  }

  get requestId(): string | undefined {
    return /"id"\s*:\s*"([^"\\]{1,200})"/.exec(this.#start)?.[1];
  }

  async *#watch(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
    for await (const chunk of body) {
      if (this.#start.length < sniffedBytes)
        this.#start += Buffer.from(chunk).toString('latin1', 0, sniffedBytes);
      yield chunk;
    }
  }
}

/** Whether an engine has to be told that nobody waits for an answer; for others the lost connection says it. */
export function needsAbort(flavour: EngineFlavour): boolean {
  return engineProfiles[flavour].abortPath !== undefined;
}

/** Tells an engine to stop sampling. That it cannot be told any more is no error: it stops at the end of the answer. */
export async function abortAtEngine(
  context: ProxyContext,
  flavour: EngineFlavour,
  worker: Worker,
  requestId: string | undefined,
): Promise<void> {
  const path = engineProfiles[flavour].abortPath;
  if (path === undefined || requestId === undefined) return;
  try {
    const reply = await context.http.send({
      method: 'POST',
      baseUrl: worker.url,
      path,
      headers: { 'content-type': 'application/json' },
      body: Buffer.from(JSON.stringify({ rid: requestId })),
      sessionId: undefined,
      signal: AbortSignal.timeout(patienceMs),
    });
    for await (const _chunk of reply.body);
  } catch (error) {
    context.log.debug({ err: error, worker: worker.url }, 'abort request failed');
  }
}
