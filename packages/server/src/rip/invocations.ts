import { type InvocationState, invocationStateWire, type JsonTextMap, stringifyJson } from '@art/protocol';
import type { InvocationName, InvocationRecords } from './invocation-records.ts';

/** A reply of RIP as it goes over the wire, which is also how it is recorded. */
export type InvocationReply = string | Buffer;

/** An invocation that can begin: everything that can be refused has been checked. */
export interface ReadyInvocation {
  /** Further members of its replies while it runs, for one where its document will be. */
  members: Record<string, unknown>;
  /**
   * Starts the handler. Must call `conclude` once, when it has ended: with the record of its end, or with undefined where it
   * was cut short, which no record says.
   */
  begin: (conclude: (record: string | undefined) => Promise<void>) => void;
  /** It will not begin. */
  discard: () => void;
}

interface Accepted {
  /** What is known of it now. */
  reply: InvocationReply;
  /** Rejects where the end could not be recorded. */
  ended: Promise<InvocationReply>;
}

/**
 * The invocations of this process, by session and id. Each runs once, however often and by how many requests it is started:
 * a request finds it here or on disk, or is the one that records it.
 */
export class Invocations {
  readonly #records: InvocationRecords;
  /** From the first request until the end is recorded; what has ended is on disk only. */
  readonly #live = new Map<string, Promise<Accepted>>();

  constructor(records: InvocationRecords) {
    this.#records = records;
  }

  /** What is known of an invocation. Starts nothing. @throws ArtError `ART_STATE_DIR` */
  async get(name: InvocationName): Promise<InvocationReply> {
    const live = await this.#accepted(name);
    if (live !== undefined) return live.reply;
    const started = await this.#records.started(name);
    // It may have been started meanwhile. If it is not live after that read, it has ended, or its process has.
    const since = await this.#accepted(name);
    return since?.reply ?? (await this.#recorded(name, started)) ?? stateText(name, { status: 'not_found' });
  }

  /**
   * Starts an invocation unless it is known, and answers with its state: at once, or with `wait` when it has ended.
   * @param prepare checks the request; called only where the invocation is not known
   * @throws what `prepare` throws, then nothing was recorded; ArtError `ART_STATE_DIR`
   */
  async start(
    name: InvocationName,
    prepare: () => Promise<ReadyInvocation>,
    { wait }: { wait: boolean },
  ): Promise<InvocationReply> {
    const key = this.#records.folderOf(name);
    for (;;) {
      // Nothing may wait between these two, or equal requests would both get through.
      const known = this.#live.get(key);
      const accepting = known ?? this.#accept(name, prepare);
      let accepted: Accepted;
      try {
        accepted = await accepting;
      } catch (error) {
        if (known === undefined) throw error;
        // What kept another request from starting says nothing of this one.
        continue;
      }
      return wait ? accepted.ended : accepted.reply;
    }
  }

  // Undefined where nothing is live.
  async #accepted(name: InvocationName): Promise<Accepted | undefined> {
    try {
      return await this.#live.get(this.#records.folderOf(name));
    } catch {
      return undefined;
    }
  }

  #accept(name: InvocationName, prepare: () => Promise<ReadyInvocation>): Promise<Accepted> {
    const key = this.#records.folderOf(name);
    const forget = (): void => void this.#live.delete(key);
    const accepting = this.#begin(name, prepare, forget);
    this.#live.set(key, accepting);
    // Before anybody else hears of it.
    accepting.catch(forget);
    return accepting;
  }

  async #begin(
    name: InvocationName,
    prepare: () => Promise<ReadyInvocation>,
    forget: () => void,
  ): Promise<Accepted> {
    const recorded = await this.#recorded(name, await this.#records.started(name));
    if (recorded !== undefined) {
      forget();
      return { reply: recorded, ended: Promise.resolve(recorded) };
    }
    const ready = await prepare();
    const reply = stateText(name, { status: 'in_progress' }, ready);
    try {
      await this.#records.start(name, reply);
    } catch (error) {
      ready.discard();
      throw error;
    }
    const ended = Promise.withResolvers<InvocationReply>();
    // Nobody need wait for it.
    ended.promise.catch(() => undefined);
    ready.begin(async (record) => {
      try {
        if (record !== undefined) await this.#records.finish(name, record);
        ended.resolve(record ?? stateText(name, { status: 'interrupted' }, ready));
      } catch (error) {
        ended.reject(error);
        throw error;
      } finally {
        forget();
      }
    });
    return { reply, ended: ended.promise };
  }

  async #recorded(
    name: InvocationName,
    started: Record<string, unknown> | undefined,
  ): Promise<InvocationReply | undefined> {
    const result = await this.#records.result(name);
    return result ?? (started && stringifyJson({ ...started, status: 'interrupted' }));
  }
}

/** A state as the text of a reply or record. */
export function stateText(
  { invocationId }: InvocationName,
  state: InvocationState,
  {
    members,
    mapText,
  }: { members?: Record<string, unknown> | undefined; mapText?: JsonTextMap | undefined } = {},
): string {
  return stringifyJson({ ...invocationStateWire(invocationId, state), ...members }, { mapText });
}
