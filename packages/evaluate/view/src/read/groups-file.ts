import { readJsonLines } from '@art/ground';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { readGroupFile, recogniseRun } from '@art/eval/records';
import { type GroupRecord, readGroupRecord } from '@art/trajectories';
import type { GroupsInfo } from '../report/run-info.ts';
import type { GroupRow } from '../report/group-row.ts';
import type { RunHealthReport } from '../report/run-health.ts';
import { readHealth } from './read-health.ts';

/** A file that nobody touched for this time is taken as finished. */
const quietMs = 60_000;

/** Groups of a file that grows, or of the files that `art collect` keeps until its trainer has acknowledged them. */
export class GroupsFile {
  readonly kind = 'groups';
  readonly folder: string;
  readonly #now: () => number;
  readonly #groups: GroupRow[] = [];
  readonly #read = new Set<string>();
  #nextByte = 0;
  #hasReadAll = false;
  #writtenAtMs = 0;

  constructor(file: string, now: () => number) {
    this.folder = file;
    this.#now = now;
  }

  async refresh(): Promise<void> {
    this.#writtenAtMs = (await stat(this.folder)).mtimeMs;
    const run = await recogniseRun(this.folder);
    for (const file of run?.kind === 'groups' ? run.files : []) {
      if (file === this.folder) await this.#readOn();
      else if (!this.#read.has(file)) this.#add(await readGroupFile(file));
      this.#read.add(file);
    }
    this.#hasReadAll = true;
  }

  async #readOn(): Promise<void> {
    for await (const { value, endByte } of readJsonLines(this.folder, this.#nextByte)) {
      this.#add(readGroupRecord(value));
      this.#nextByte = endByte;
    }
  }

  #add(group: GroupRecord | undefined): void {
    if (group !== undefined) this.#groups.push(groupRowOf(group));
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

  health(): Promise<RunHealthReport | null> {
    return readHealth(this.folder, 'training');
  }

  groups(from: number, most: number): readonly GroupRow[] {
    return this.#groups.slice(from, from + most);
  }
}

function groupRowOf({
  index,
  inputId,
  kind,
  meanReward,
  missing,
  elapsedMs,
  members,
}: GroupRecord): GroupRow {
  return {
    index,
    inputId,
    kind,
    meanReward,
    missing,
    elapsedMs,
    members: members.map(({ status, reward, advantage, outcome, error }) => ({
      status,
      reward,
      advantage,
      outcome,
      problem: error === null ? null : `${error.code}: ${error.message}`.slice(0, 300),
    })),
  };
}
