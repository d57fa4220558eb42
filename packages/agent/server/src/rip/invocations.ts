import { stringifyJson } from '@art/ground';
import type { InvocationNotes } from '@art/protocol';
import { AcceptedRuns } from '../rollout/accepted-runs.ts';
import type { RolloutJob } from '../rollout/rollout-run.ts';
import type { RolloutRuns } from '../rollout/rollout-runs.ts';
import { invocationRecord, scrubbedNotes, stateText } from './invocation-record.ts';
import type { InvocationName, InvocationRecords } from './invocation-records.ts';

/** A reply of RIP as it goes over the wire, which is also how it is recorded. */
export type RipReply = string | Buffer;

interface Accepted {
  /** The reply that describes it now. */
  reply: RipReply;
  /** Rejects where the end could not be recorded. */
  ended: Promise<RipReply>;
}

/**
 * The invocations of this process, by session and id. Each runs once, however often and by how many requests it is started:
 * a request finds it here or on disk, or is the one that records it.
 */
export class Invocations {
  readonly #records: InvocationRecords;
  readonly #runs: RolloutRuns;
  /** From the first request until the end is recorded; what has ended is on disk only. */
  readonly #live = new AcceptedRuns<Accepted>(0);

  constructor(records: InvocationRecords, runs: RolloutRuns) {
    this.#records = records;
    this.#runs = runs;
  }

  /** The current reply of an invocation. Starts nothing. @throws ArtError `ART_STATE_DIR` */
  async get(name: InvocationName): Promise<RipReply> {
    const key = this.#records.folderOf(name);
    const live = await this.#live.find(key);
    if (live !== undefined) return live.reply;
    const started = await this.#records.started(name);
    // It may have been started meanwhile. If it is not live after that read, it has ended, or its process has.
    const since = await this.#live.find(key);
    return since?.reply ?? (await this.#recorded(name, started)) ?? stateText(name, { status: 'not_found' });
  }

  /**
   * Starts an invocation unless it is known, and answers with its state: at once, or with `wait` when it has ended.
   * @param prepare checks the request; called only where the invocation is not known
   * @throws what `prepare` throws, then nothing was recorded; ArtError `ART_STATE_DIR`
   */
  async start(
    name: InvocationName,
    prepare: () => Promise<RolloutJob>,
    { wait }: { wait: boolean },
  ): Promise<RipReply> {
    const key = this.#records.folderOf(name);
    const { reply, ended } = await this.#live.accept(key, async () => {
      const recorded = await this.#recorded(name, await this.#records.started(name));
      if (recorded === undefined) return this.#begin(name, await prepare());
      this.#live.end(key);
      return { reply: recorded, ended: Promise.resolve(recorded) };
    });
    return wait ? ended : reply;
  }

  async #begin(name: InvocationName, job: RolloutJob): Promise<Accepted> {
    const notes: InvocationNotes = {};
    let reply = stateText(name, { status: 'in_progress' }, job);
    try {
      await this.#records.start(name, reply);
    } catch (error) {
      job.secrets.release();
      await job.tunnel?.close();
      throw error;
    }
    const onNote = (note: InvocationNotes): void => {
      Object.assign(notes, scrubbedNotes(note, job));
      reply = stateText(name, { status: 'in_progress', ...notes }, job);
    };
    const ended = this.#runs.start({ ...job, onNote }, async (ending) => {
      try {
        const record = invocationRecord(ending, name, job, notes.unsaved);
        if (record === undefined) return stateText(name, { status: 'interrupted' }, job);
        await this.#records.finish(name, record);
        return record;
      } finally {
        this.#live.end(this.#records.folderOf(name));
      }
    });
    return {
      get reply() {
        return reply;
      },
      ended,
    };
  }

  async #recorded(
    name: InvocationName,
    started: Record<string, unknown> | undefined,
  ): Promise<RipReply | undefined> {
    const result = await this.#records.result(name);
    return result ?? (started && stringifyJson({ ...started, status: 'interrupted' }));
  }
}
