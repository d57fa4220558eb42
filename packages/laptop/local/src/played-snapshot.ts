import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PlaySettings } from './snapshot/play-settings.ts';

/** True in a clone of this repository, where nothing is built. */
const isSource = extname(import.meta.url) === '.ts';

/** Loaded before an agent; it stands below this file, as a source and when it is built. */
const preload = new URL(`./snapshot/snapshot-setup${extname(import.meta.url)}`, import.meta.url).href;

/** The kind of snapshot that is played. */
export interface PlayedSnapshotOptions {
  /** How much later than its snapshot a session is restored, by the wall clock. @default 240_000: services take signatures that are so old */
  movedMs?: number | undefined;
  /** Gets a line of JSON for each value that sessions share, with the place in the program. @default nothing is recorded */
  recordFile?: string | undefined;
  /** Files and folders besides `node_modules` that are no code of the agent's author. @default none */
  libraries?: readonly string[] | undefined;
  /** Where the agent is warmed up. */
  warmupPath?: string | undefined;
}

/**
 * The environment in which a Node process plays a clone of platform version V2: it is "restored" at its first request that is neither a
 * ping nor the warm-up. Until then, and from then on, it draws the same as every other process that plays. Other programs play nothing.
 */
export function playedSnapshot(
  env: NodeJS.ProcessEnv,
  { movedMs = 240_000, recordFile, libraries = [], warmupPath = '/warmup' }: PlayedSnapshotOptions = {},
): NodeJS.ProcessEnv {
  const settings: PlaySettings = {
    movedMs,
    recordFile,
    warmupPath,
    libraries: [...ownSources(), ...libraries],
  };
  return {
    ...env,
    NODE_OPTIONS: [
      env['NODE_OPTIONS'],
      ...(isSource ? ['--conditions=@art/source'] : []),
      `--import=${preload}`,
    ]
      .filter(Boolean)
      .join(' '),
    ART_PLAYED_SNAPSHOT: JSON.stringify(settings),
  };
}

/** In a clone of this repository its packages stand in no `node_modules`. */
function ownSources(): string[] {
  if (!isSource) return [];
  return ['agent', 'ground', 'storage', 'laptop/local'].map((wing) =>
    fileURLToPath(new URL(`../../../${wing}/`, import.meta.url)),
  );
}
