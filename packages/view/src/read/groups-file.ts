import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { readJsonLines } from '@art/eval/records';
import { isJsonObject } from '@art/protocol';
import type { GroupsInfo } from '../report/run-info.ts';
import type { GroupRow } from '../report/group-row.ts';
import { groupRowOf } from './group-row-of.ts';

/** A file that nobody touched for this time is taken as finished. */
const quietMs = 60_000;

/** The groups of a run, as `art resume --out` writes them, read while the file grows. */
export class GroupsFile {
  readonly kind = 'groups';
  readonly folder: string;
  readonly #now: () => number;
  readonly #groups: GroupRow[] = [];
  #nextByte = 0;
  #hasReadAll = false;
  #writtenAtMs = 0;

  constructor(file: string, now: () => number) {
    this.folder = file;
    this.#now = now;
  }

  async refresh(): Promise<void> {
    this.#writtenAtMs = (await stat(this.folder)).mtimeMs;
    for await (const { value, endByte } of readJsonLines(this.folder, this.#nextByte)) {
      const group = isJsonObject(value) ? groupRowOf(value) : undefined;
      if (group !== undefined) this.#groups.push(group);
      this.#nextByte = endByte;
    }
    this.#hasReadAll = true;
  }

  info(): GroupsInfo {
    return {
      kind: 'groups',
      folder: this.folder,
      title: basename(this.folder),
      read: this.#groups.length,
      isLive: !this.#hasReadAll || this.#now() - this.#writtenAtMs <= quietMs,
    };
  }

  groups(from: number, most: number): readonly GroupRow[] {
    return this.#groups.slice(from, from + most);
  }
}
