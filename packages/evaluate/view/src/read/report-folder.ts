import { stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { auditReport, matrixReport, readAudit, readMatrix, wantedNames } from '@art/eval';
import { runPath } from '@art/eval/records';
import { describeThrown } from '@art/ground';
import type { ReportInfo } from '../report/run-info.ts';

type Report = Pick<ReportInfo, 'lines' | 'tables' | 'folders'>;

/** A folder that is shown as its report: an audit, or the runs of a matrix. */
export class ReportFolder {
  readonly kind = 'report';
  readonly folder: string;
  readonly #title: string;
  readonly #read: () => Promise<Report>;
  /** Names a state of the files: what has not changed is not read again. */
  readonly #state: () => Promise<string>;
  #report: Report = { lines: [], tables: [], folders: [] };
  #shown: string | undefined;

  private constructor(
    folder: string,
    { title, read, state }: { title: string; read: () => Promise<Report>; state: () => Promise<string> },
  ) {
    this.folder = folder;
    this.#title = title;
    this.#read = read;
    this.#state = state;
  }

  /** Undefined where a folder has no audit. */
  static async ofAudit(folder: string): Promise<ReportFolder | undefined> {
    const audit = await readAudit(folder).catch(() => undefined);
    if (audit === undefined) return undefined;
    const read = async (): Promise<Report> => {
      const { lines, tables } = auditReport((await readAudit(folder)) ?? audit);
      return { lines, tables, folders: [] };
    };
    const state = async (): Promise<string> => sizeOf(join(folder, 'audit.json'));
    return new ReportFolder(folder, { title: `audit of ${audit.reward}`, read, state });
  }

  /** @param runs folders of the runs in it */
  static ofMatrix(folder: string, runs: readonly string[]): ReportFolder {
    const read = async (): Promise<Report> => {
      const cells = await readMatrix(folder);
      const missing = wantedNames(cells).filter((name) => cells.every((cell) => cell.name !== name));
      const { table, remarks } = matrixReport(cells, missing);
      return { lines: remarks, tables: [table], folders: cells.map(({ name }) => join(folder, name)) };
    };
    const state = async (): Promise<string> =>
      (await Promise.all(runs.map((run) => sizeOf(runPath(run, 'samples'))))).join();
    return new ReportFolder(folder, { title: `matrix ${basename(folder)}`, read, state });
  }

  async refresh(): Promise<void> {
    const state = await this.#state();
    if (state === this.#shown) return;
    this.#report = await this.#read().catch((error: unknown) => ({
      lines: [describeThrown(error).message],
      tables: [],
      folders: [],
    }));
    this.#shown = state;
  }

  info(): ReportInfo {
    const isRead = this.#shown !== undefined;
    return {
      kind: 'report',
      folder: this.folder,
      title: this.#title,
      read: 0,
      isLive: !isRead,
      ...this.#report,
    };
  }

  health(): Promise<null> {
    return Promise.resolve(null);
  }
}

async function sizeOf(path: string): Promise<string> {
  return stat(path).then(
    ({ size, mtimeMs }) => `${size}@${mtimeMs}`,
    () => '',
  );
}
