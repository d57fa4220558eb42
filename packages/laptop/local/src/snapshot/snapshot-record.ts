import { appendFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { PlaySettings } from './play-settings.ts';

/** A value that sessions share, or the use of one. */
export interface SharedUse {
  kind:
    | 'draw'
    | 'wall-clock'
    | 'monotonic-clock'
    | 'host-name'
    | 'process-id'
    | 'credential'
    | 'call'
    | 'dead-socket'
    | 'restored';
  /** Before the snapshot, or in the session. */
  at: 'start' | 'session';
  /** A name of what was called, or an address. */
  name?: string | undefined;
  value?: string | number | undefined;
  /** Files with line and column, the innermost first, without Node's own. */
  stack: string[];
}

// A loop over a generator is one finding, and not a full disk.
const mostOfAKind = 400;
const ownFolder = new URL('.', import.meta.url).href;
const drawsFolder = /\/ground\/(?:src|dist)\/(?:draws\/|chunk)/;

/** Writes down, where somebody wants to know, who used what sessions share. */
export class SnapshotRecord {
  readonly #settings: PlaySettings;
  readonly #counts = new Map<string, number>();
  // Those of before this file had anything played.
  readonly #append = appendFileSync;
  #at: SharedUse['at'] = 'start';
  #isWriting = false;

  constructor(settings: PlaySettings) {
    this.#settings = settings;
  }

  get isWanted(): boolean {
    return this.#settings.recordFile !== undefined;
  }

  get at(): SharedUse['at'] {
    return this.#at;
  }

  /** @param options `byAgent`: only where the agent's own code is the caller, and no package of it */
  note(
    use: Omit<SharedUse, 'at' | 'stack'>,
    { byAgent = false, stack }: { byAgent?: boolean; stack?: string[] } = {},
  ): void {
    if (!this.isWanted || this.#isWriting) return;
    const kind = `${this.#at} ${use.kind}`;
    const count = this.#counts.get(kind) ?? 0;
    if (count >= mostOfAKind) return;
    this.#isWriting = true;
    try {
      const [caller = '', ...others] = stack ?? this.#places();
      if (byAgent && this.#isLibrary(caller)) return;
      const callers = [caller, ...others].filter((place) => place !== '' && !place.startsWith('node:'));
      this.#counts.set(kind, count + 1);
      const entry: SharedUse = { ...use, at: this.#at, stack: callers };
      this.#append(this.#settings.recordFile!, `${JSON.stringify(entry)}\n`);
    } finally {
      this.#isWriting = false;
    }
  }

  restored(): void {
    this.note({ kind: 'restored' }, { stack: [] });
    this.#at = 'session';
  }

  /** Where the program is, the innermost place first, without Node's own. */
  callers(): string[] {
    return this.#places().filter((place) => !place.startsWith('node:'));
  }

  #places(): string[] {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 50;
    const { stack } = new Error('here');
    Error.stackTraceLimit = stackTraceLimit;
    if (typeof stack !== 'string') return [];
    return stack
      .split('\n')
      .flatMap((line) => /^\s+at (?:.*\()?(.+:\d+:\d+)\)?$/.exec(line)?.[1] ?? [])
      .filter((place) => !place.startsWith(ownFolder) && !drawsFolder.test(place))
      .map((place) => (place.startsWith('file:') ? pathOf(place) : place))
      .slice(0, 12);
  }

  #isLibrary(place: string): boolean {
    return (
      place === '' ||
      place.startsWith('node:') ||
      place.includes('/node_modules/') ||
      this.#settings.libraries.some((folder) => place.startsWith(folder))
    );
  }
}

function pathOf(place: string): string {
  const [, url = place, position = ''] = /^(.*?)(:\d+:\d+)$/.exec(place) ?? [];
  try {
    return fileURLToPath(url) + position;
  } catch {
    return place;
  }
}
