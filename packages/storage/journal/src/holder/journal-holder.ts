import { randomUUID } from 'node:crypto';
import { processIdentity, type ProcessIdentity } from './process-identity.ts';

/** The process that holds a run of a journal. */
export interface JournalHolder extends ProcessIdentity {
  /** When it claimed the run, in milliseconds since 1970. */
  sinceMs: number;
  /** Tells two claims of one process apart. */
  claimId: string;
}

/** This process, as the holder of a new claim. */
export async function newHolder(nowEpochMs: number): Promise<JournalHolder> {
  return { ...(await processIdentity()), sinceMs: nowEpochMs, claimId: randomUUID() };
}

/** "process 4711 on trainer-0 since 2026-01-31T12:00:00.000Z" */
export function describeHolder(holder: JournalHolder): string {
  return `process ${holder.pid} on ${holder.host} since ${new Date(holder.sinceMs).toISOString()}`;
}
