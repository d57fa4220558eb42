import { appendFile, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseJson, stringifyJson, makeDirectory } from '@art/ground';
import { replaceFile } from '@art/store';
import type { CollectRequest } from '../request/collect-request.ts';

/**
 * `open`: groups are still to come. `settled`: all are there, and not all acknowledged. `done`: nothing is left to do.
 * `cancelled`: given up by the trainer.
 */
export type RequestState = 'open' | 'settled' | 'done' | 'cancelled';

/** Record of a request beside its groups. */
export interface RequestRecord {
  version: 1;
  requestId: string;
  digest: string;
  state: RequestState;
  /** Milliseconds since the Unix epoch. */
  createdAtMs: number;
  groupCount: number;
  /** Undefined once nothing can come of it any more. */
  request: CollectRequest | undefined;
  /** Inputs that the deadline left without a group. */
  notStarted: readonly number[];
}

/**
 * A request on disk: its record, a file for each settled group that is not acknowledged, and the numbers of those that are. A
 * group is here before anybody hears of it, so that no death of a process can take it away.
 */
export class RequestFolder {
  readonly #path: string;
  readonly #acknowledged: Set<number>;
  readonly #settled: Set<number>;
  #record: RequestRecord;
  #written: Promise<void> = Promise.resolve();

  private constructor(path: string, record: RequestRecord, settled: Set<number>, acknowledged: Set<number>) {
    this.#path = path;
    this.#record = record;
    this.#settled = settled;
    this.#acknowledged = acknowledged;
  }

  static async create(root: string, record: RequestRecord): Promise<RequestFolder> {
    const path = join(root, record.requestId);
    await makeDirectory(path, 0o700);
    await replaceFile(join(path, recordName), stringifyJson(record));
    return new RequestFolder(path, record, new Set(), new Set());
  }

  /** @returns undefined where there is no such request */
  static async open(root: string, requestId: string): Promise<RequestFolder | undefined> {
    const path = join(root, requestId);
    const text = await readFile(join(path, recordName), 'utf8').catch(whereMissing);
    if (text === undefined) return undefined;
    const record = parseJson(text) as unknown as RequestRecord;
    const noted = (await readFile(join(path, acknowledgedName), 'utf8').catch(whereMissing)) ?? '';
    // A torn last line is an acknowledgement that nobody was told of.
    const lines = noted.slice(0, noted.lastIndexOf('\n') + 1).split('\n');
    const acknowledged = new Set(lines.filter((line) => /^\d+$/.test(line)).map(Number));
    const settled = new Set<number>();
    for (const name of await readdir(path)) {
      const index = /^(\d+)\.json$/.exec(name)?.[1];
      if (index !== undefined && !acknowledged.has(Number(index))) settled.add(Number(index));
    }
    return new RequestFolder(path, record, settled, acknowledged);
  }

  /** Ids of all requests that are kept. */
  static async list(root: string): Promise<string[]> {
    const entries = await readdir(root, { withFileTypes: true }).catch(whereMissing);
    return (entries ?? []).filter((entry) => entry.isDirectory()).map(({ name }) => name);
  }

  get record(): RequestRecord {
    return this.#record;
  }

  /** Settled and not acknowledged, in the order in which they came. */
  get waiting(): readonly number[] {
    return [...this.#settled];
  }

  get acknowledgedCount(): number {
    return this.#acknowledged.size;
  }

  has(index: number): boolean {
    return this.#settled.has(index) || this.#acknowledged.has(index);
  }

  isAcknowledged(index: number): boolean {
    return this.#acknowledged.has(index);
  }

  async keep(index: number, line: string): Promise<void> {
    await replaceFile(this.#fileOf(index), line);
    this.#settled.add(index);
  }

  /** The line of a group; undefined where it has been acknowledged meanwhile. */
  async lineOf(index: number): Promise<string | undefined> {
    if (!this.#settled.has(index)) return undefined;
    return readFile(this.#fileOf(index), 'utf8').catch(whereMissing);
  }

  /** @returns how many of them were not acknowledged before */
  async acknowledge(indices: readonly number[]): Promise<number> {
    const fresh = indices.filter((index) => this.#settled.delete(index));
    if (fresh.length === 0) return 0;
    for (const index of fresh) this.#acknowledged.add(index);
    await appendFile(join(this.#path, acknowledgedName), fresh.map((index) => `${index}\n`).join(''), {
      flush: true,
      mode: 0o600,
    });
    await Promise.all(fresh.map((index) => rm(this.#fileOf(index), { force: true })));
    return fresh.length;
  }

  async become(state: RequestState, notStarted: readonly number[] = this.#record.notStarted): Promise<void> {
    const isOver = state === 'done' || state === 'cancelled';
    this.#record = { ...this.#record, state, notStarted, ...(isOver && { request: undefined }) };
    await this.#writeRecord();
    if (!isOver) return;
    await Promise.all(this.waiting.map((index) => rm(this.#fileOf(index), { force: true })));
    this.#settled.clear();
  }

  /** One write after the other: the end of a run and the acknowledgement of its last group may come at once. */
  async #writeRecord(): Promise<void> {
    const write = (): Promise<void> => replaceFile(join(this.#path, recordName), stringifyJson(this.#record));
    this.#written = this.#written.then(write, write);
    await this.#written;
  }

  #fileOf(index: number): string {
    return join(this.#path, `${index}.json`);
  }
}

const recordName = 'request.json';
const acknowledgedName = 'acknowledged';

function whereMissing(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
}
