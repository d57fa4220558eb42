import type { HeldBy, RolloutJournal, LineLog } from '@art/journal';
import { ArtError } from '@art/ground';

/** A journal in memory that freezes, as if its process had been killed, when a given line would be written. */
export class MemoryJournal implements RolloutJournal {
  readonly runs = new Map<string, string[]>();
  /** Lines of a run that may be written; at the next one the process dies. */
  mostLines = Number.POSITIVE_INFINITY;
  /** The error that writes fail with from that line on; undefined if they hang instead. */
  failure: Error | undefined;
  onCrash: () => void = () => undefined;

  async create(runId: string, lines: readonly string[]): Promise<LineLog> {
    if (this.runs.has(runId))
      throw new ArtError({ code: 'ART_JOURNAL_EXISTS', message: `Run ${runId} is there.` });
    this.runs.set(runId, [...lines]);
    return this.#log(runId);
  }

  async open(runId: string): Promise<LineLog> {
    this.#lines(runId);
    return this.#log(runId);
  }

  async *read(runId: string): AsyncGenerator<string[], void, undefined> {
    yield [...this.#lines(runId)];
  }

  async heldBy(): Promise<HeldBy | undefined> {
    return undefined;
  }

  async list(): Promise<string[]> {
    return [...this.runs.keys()];
  }

  async remove(runId: string): Promise<void> {
    this.runs.delete(runId);
  }

  #lines(runId: string): string[] {
    const lines = this.runs.get(runId);
    if (lines === undefined)
      throw new ArtError({ code: 'ART_JOURNAL_NOT_FOUND', message: `No run ${runId}.` });
    return lines;
  }

  #log(runId: string): LineLog {
    const broken = new AbortController();
    const lines = this.#lines(runId);
    let isFrozen = false;
    const write = (line: string): 'written' | 'dead' => {
      if (lines.length < this.mostLines && !isFrozen) {
        lines.push(line);
        return 'written';
      }
      isFrozen = true;
      if (this.failure === undefined) this.onCrash();
      else broken.abort(this.failure);
      return 'dead';
    };
    const { read } = this;
    return {
      read: () => read.call(this, runId),
      append: (line) => void write(line),
      commit: async (line) => {
        if (write(line) === 'written') return;
        if (this.failure !== undefined) throw this.failure;
        await new Promise(() => undefined);
      },
      broken: broken.signal,
      close: async () => undefined,
    };
  }
}
