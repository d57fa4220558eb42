import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { makeDirectory } from '@art/ground';
import { DurableLines } from '../files/durable-lines.ts';
import type { SessionRecord } from '../steps/index.ts';

/** A session that this machine opened, or was about to. */
export interface RegisteredSession extends SessionRecord {
  /** Folder of the run that opened it. The process that trains with it holds this folder. */
  directory: string;
  openedAt: string;
}

type RegisterLine =
  | ({ event: 'opening' } & RegisteredSession)
  | { event: 'noted'; name: string; facts: Readonly<Record<string, string>> }
  | { event: 'stopped'; name: string };

/**
 * Every remote session that this machine opened, in a file. A session is written down before it is created, so that no crash leaves one
 * that nobody knows of.
 */
export class SessionRegister {
  readonly #lines: DurableLines<RegisterLine>;

  /** @param path @default `~/.art/training-sessions.jsonl` */
  constructor(path: string = join(homedir(), '.art', 'training-sessions.jsonl')) {
    this.#lines = new DurableLines(path);
  }

  get path(): string {
    return this.#lines.path;
  }

  /** On the disk when it resolves. */
  async opening(session: RegisteredSession): Promise<void> {
    await makeDirectory(dirname(this.path));
    this.#lines.append({ event: 'opening', ...session });
  }

  noted(name: string, facts: Readonly<Record<string, string>>): void {
    this.#lines.append({ event: 'noted', name, facts });
  }

  stopped(name: string): void {
    this.#lines.append({ event: 'stopped', name });
  }

  /** Sessions that were not stopped as far as the file knows, in the order in which they were opened. */
  open(): RegisteredSession[] {
    const sessions = new Map<string, RegisteredSession>();
    for (const line of this.#lines.all()) {
      if (line.event === 'opening') {
        const { event: _event, ...session } = line;
        sessions.set(line.name, session);
      } else if (line.event === 'stopped') sessions.delete(line.name);
      else {
        const known = sessions.get(line.name);
        if (known) sessions.set(line.name, { ...known, place: { ...known.place, ...line.facts } });
      }
    }
    return [...sessions.values()];
  }
}
