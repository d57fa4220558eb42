import { engineProfiles, type EngineFlavour } from '../../engines/engine-profiles.ts';
import type { Worker } from '../../routing/worker.ts';
import type { RelayServices } from '../call/gateway-services.ts';

const patienceMs = 30_000;
const sniffedBytes = 4_096;

/** How to stop an engine's answer by a request; undefined for engines that stop when the connection is closed. */
export function openStop(flavour: EngineFlavour): EngineStop | undefined {
  const path = engineProfiles[flavour].abortPath;
  return path === undefined ? undefined : new EngineStop(path);
}

/** Stops an answer by the id that the engine gave it in the first bytes of its stream. */
class EngineStop {
  readonly #path: string;
  #start = '';

  constructor(path: string) {
    this.#path = path;
  }

  /** Looks at the next bytes of the answer. */
  look(chunk: Uint8Array): void {
    if (this.#start.length < sniffedBytes)
      this.#start += Buffer.from(chunk).toString('latin1', 0, sniffedBytes);
  }

  /** If the request fails, that is no error: the engine stops at the end of the answer. */
  async send({ engines, log }: RelayServices, worker: Worker): Promise<void> {
    const rid = /"id"\s*:\s*"([^"\\]{1,200})"/.exec(this.#start)?.[1];
    if (rid === undefined) return;
    try {
      const reply = await engines.send({
        method: 'POST',
        baseUrl: worker.url,
        path: this.#path,
        headers: { 'content-type': 'application/json' },
        body: Buffer.from(JSON.stringify({ rid })),
        sessionId: undefined,
        signal: AbortSignal.timeout(patienceMs),
      });
      for await (const _chunk of reply.body);
    } catch (error) {
      log.debug({ err: error, worker: worker.url }, 'abort request failed');
    }
  }
}
