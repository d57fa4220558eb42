import { constants, createReadStream, existsSync } from 'node:fs';
import { appendFile, copyFile, mkdtemp, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { runPath } from '@art/eval/records';
import { ArtError, makeDirectory } from '@art/ground';
import type { JournalPlace } from '../arguments/journal-argument.ts';
import type { CliContext } from '../cli-context.ts';
import { openStore } from '../connection/open-store.ts';
import { StoredRuns } from './stored-runs.ts';

const name = /^\w[\w.-]{0,99}$/;
const files = ['run', 'samples', 'transcripts', 'results'] as const;
const partBytes = 8 * 1024 * 1024;

/** Runs that are kept under names: each in a folder, or in a store, whose runs are fetched into folders for as long as this is open. */
export class Baselines implements AsyncDisposable {
  readonly #cwd: string;
  readonly #root: string;
  readonly #stored: StoredRuns | undefined;
  readonly #fetched = new Map<string, Promise<string>>();

  private constructor(cwd: string, root: string, stored?: StoredRuns) {
    this.#cwd = cwd;
    this.#root = root;
    this.#stored = stored;
  }

  /** @param place of the names @default `.art/baselines` */
  static async open(
    { baselines: place, endpoint }: { baselines?: JournalPlace | undefined; endpoint?: string | undefined },
    { cwd }: Pick<CliContext, 'cwd'>,
  ): Promise<Baselines> {
    const kept = join(cwd, '.art', 'baselines');
    if (place === undefined) return new Baselines(cwd, kept);
    if (place.kind === 'folder') return new Baselines(cwd, resolve(cwd, place.directory));
    return new Baselines(
      cwd,
      join(cwd, '.art', 'fetched-baselines'),
      new StoredRuns(await openStore(place, endpoint, cwd)),
    );
  }

  /**
   * Finds the folder of a run that is named by its path, or by the name under which `--save-as` keeps it.
   * @throws ArtError `ART_INVALID_OPTION` for a name that the store does not have; StoreError
   */
  async folderOf(text: string): Promise<string> {
    const path = resolve(this.#cwd, text);
    if (existsSync(path) || !name.test(text)) return path;
    if (this.#stored !== undefined) {
      const fetching = this.#fetched.get(text) ?? this.#fetch(text, this.#stored);
      this.#fetched.set(text, fetching);
      return fetching;
    }
    const { saved, before } = this.#placesOf(text);
    return [saved, before].find((folder) => existsSync(folder)) ?? path;
  }

  /**
   * Makes sure that a run can be kept, before it costs anything.
   * @throws ArtError `ART_INVALID_OPTION` for what is no name; StoreError for a store that does not answer
   */
  async check(text: string): Promise<void> {
    if (!name.test(text))
      throw new ArtError({
        code: 'ART_INVALID_OPTION',
        message: `Expected --save-as to be a name of letters, digits, ".", "_" and "-", got ${JSON.stringify(text)}.`,
      });
    await this.#stored?.has(text);
  }

  /** Keeps a copy of a finished run under a name, in the place of an earlier one. */
  async save(folder: string, text: string): Promise<void> {
    if (this.#stored !== undefined)
      return this.#stored.save(
        text,
        files.map((file) => partsOf(runPath(folder, file))),
      );
    const { saved, before } = this.#placesOf(text);
    await this.#fill('.saving-', async (fresh) => {
      for (const file of files)
        await copyFile(runPath(folder, file), runPath(fresh, file), constants.COPYFILE_FICLONE);
      // The earlier run is found until the new one has its name, also where this process is killed.
      if (existsSync(saved)) {
        await rm(before, { recursive: true, force: true });
        await rename(saved, before);
      }
      await rename(fresh, saved);
    });
    await rm(before, { recursive: true, force: true });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const fetched of await Promise.allSettled(this.#fetched.values()))
      if (fetched.status === 'fulfilled') await rm(fetched.value, { recursive: true, force: true });
    // It is not empty where another command is at work.
    if (this.#stored !== undefined) await rmdir(this.#root).catch(() => undefined);
    await this.#stored?.[Symbol.asyncDispose]();
  }

  async #fetch(text: string, stored: StoredRuns): Promise<string> {
    const found = await stored.find(text);
    if (found === undefined)
      throw new ArtError({
        code: 'ART_INVALID_OPTION',
        message: `Expected the folder of a run, or the name of one that is kept in ${stored.where}, got ${JSON.stringify(text)}. "art eval --save-as ${text} --baselines ..." keeps one there.`,
      });
    return this.#fill(`${text}-`, async (fresh) => {
      for (const [at, file] of files.entries()) {
        await writeFile(runPath(fresh, file), '');
        for await (const part of stored.read(found, at)) await appendFile(runPath(fresh, file), part);
      }
    });
  }

  #placesOf(text: string): { saved: string; before: string } {
    return { saved: join(this.#root, text), before: join(this.#root, `.before-${text}`) };
  }

  /** Makes a new folder that stays only where it was filled. */
  async #fill(prefix: string, fill: (fresh: string) => Promise<void>): Promise<string> {
    await makeDirectory(this.#root, 0o700);
    const fresh = await mkdtemp(join(this.#root, prefix));
    await fill(fresh).catch(async (error: unknown) => {
      await rm(fresh, { recursive: true, force: true });
      throw error;
    });
    return fresh;
  }
}

/** Nothing is opened before it is read. */
async function* partsOf(path: string): AsyncGenerator<string, void, undefined> {
  yield* createReadStream(path, { encoding: 'utf8', highWaterMark: partBytes }) as AsyncIterable<string>;
}
