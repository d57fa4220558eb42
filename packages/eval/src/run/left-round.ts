import { rmdir } from 'node:fs/promises';
import { systemClock } from '@art/async';
import { FileJournal, type JournalRun, readRun, RunLog } from '@art/journal';
import { ArtError } from '@art/protocol';
import { readSamples } from '../records/read-samples.ts';
import { runPath } from '../records/run-folder.ts';
import type { RunRound } from '../records/run-record.ts';
import { sampleId, type SampleRecord } from '../records/sample-record.ts';
import type { Task } from '../tasks/task.ts';
import { isAgentFailure } from './score.ts';

/** One try at a task. */
export interface SamplePlace {
  task: Task;
  sample: number;
}

/** The journal of a round: which of its sessions are under way. */
export function journalOf(folder: string, { runId }: Pick<RunRound, 'runId'>): JournalRun {
  return { journal: new FileJournal({ directory: runPath(folder, 'journal') }), runId };
}

/** What the surroundings spoilt says nothing of the agent, so running it again repeats nothing. */
export function isDone({ outcome }: SampleRecord): boolean {
  return outcome === 'ok' || isAgentFailure(outcome);
}

/** Samples that are still to be sent, in the order in which a round sends them. */
export async function* missingSamples(
  tasks: AsyncIterable<Task>,
  samples: number,
  done: ReadonlySet<string>,
): AsyncGenerator<SamplePlace, void, undefined> {
  for await (const task of tasks)
    for (let sample = 0; sample < samples; sample += 1)
      if (!done.has(sampleId(task.id, sample))) yield { task, sample };
}

/**
 * What an earlier process reached of its round, by the index in its journal. What has a line is acknowledged here, for a killed process
 * may not have come to it; the rest is for `RolloutClient.resume`. Undefined where nothing of the round is left.
 * @throws ArtError `ART_JOURNAL_LOCKED`, `ART_JOURNAL_CORRUPT`, `ART_JOURNAL_WRITE_FAILED`
 */
export async function takeLeftRound(
  folder: string,
  round: RunRound,
  tasks: AsyncIterable<Task>,
  signal: AbortSignal,
): Promise<{ places: SamplePlace[]; isOpen: (index: number) => boolean } | undefined> {
  const session = await openSession(journalOf(folder, round), signal);
  if (session === undefined) return undefined;
  try {
    const { history } = session;
    const [doneBefore, recorded] = [new Map<string, boolean>(), new Set<string>()];
    for await (const { record: sample, endByte } of readSamples(folder)) {
      if (endByte <= round.samplesBytes) doneBefore.set(sample.id, isDone(sample));
      else recorded.add(sample.id);
    }
    const done = new Set([...doneBefore].flatMap(([id, isOver]) => (isOver ? [id] : [])));
    const places: SamplePlace[] = [];
    const missing = missingSamples(tasks, round.samples, done);
    while (places.length < history.reachedEnd) {
      const next = await missing.next();
      if (next.done === true) break;
      places.push(next.value);
    }
    const isOpen = (index: number): boolean =>
      !history.isAcknowledged(String(index)) && !recorded.has(idOf(places[index]!));
    const settled = places.flatMap((_, index) =>
      history.isAcknowledged(String(index)) || isOpen(index) ? [] : [index],
    );
    await Promise.all(settled.map((index) => session.acknowledge(String(index))));
    return { places, isOpen };
  } finally {
    await session.close();
  }
}

function idOf({ task, sample }: SamplePlace): string {
  return sampleId(task.id, sample);
}

/** Undefined for a round that has nothing left, or died before its journal was there. */
async function openSession({ journal, runId }: JournalRun, signal: AbortSignal) {
  const session = await RunLog.open(journal, runId!, { clock: systemClock, signal }).catch(
    (error: unknown) => {
      if (ArtError.isInstance(error) && error.code === 'ART_JOURNAL_NOT_FOUND') return undefined;
      throw error;
    },
  );
  if (session === undefined) return undefined;
  const { isFinished } = session.history;
  if (!isFinished || session.history.openSessions().length > 0) return session;
  await session.close();
  return undefined;
}

/** Removes the journals that nobody needs any more: those of rounds with nothing left to do, and no session that may live. */
export async function removeEndedRounds(folder: string): Promise<void> {
  const directory = runPath(folder, 'journal');
  const journal = new FileJournal({ directory });
  for (const runId of await journal.list()) {
    const round = await readRun(journal, runId);
    if (round.heldBy?.state === 'alive' || !round.isFinished || round.openSessions > 0) continue;
    await journal.remove(runId);
  }
  // It is not empty where a round is left.
  await rmdir(directory).catch(() => undefined);
}
