import { FileJournal, readRun } from '@art/journal';
import type { FakeAgent } from '../fake-agent.fixture.ts';

/** Payloads of which some are done, and one hangs. */
export const brokenPayloads = [{ n: 1 }, { n: 2 }, { hang: true }, { n: 4 }] as const;

/**
 * A run that ended in the middle: two of its items were dealt with, and a session of it could not be stopped.
 * @param directory of the journal
 */
export async function breakRun(agent: FakeAgent, directory: string, runId: string): Promise<FileJournal> {
  const journal = new FileJournal({ directory });
  const client = agent.client();
  agent.refusesStops = true;
  let done = 0;
  const options = { maxConcurrentSessions: 1, journal: { journal, runId }, retry: { lost: 0 } };
  const controller = new AbortController();
  const items = client.runBatch([...brokenPayloads], {
    ...options,
    signal: controller.signal,
    onEvent: (event) => {
      if (event.type === 'accepted' && event.index === 2) controller.abort(new Error('killed'));
    },
  });
  try {
    for await (const _ of items) done += 1;
  } catch (error) {
    if (!(error instanceof Error) || error.message !== 'killed') throw error;
  }
  await client.close();
  agent.refusesStops = false;
  const { openSessions, acknowledged } = await readRun(journal, runId);
  if (done < 2 || acknowledged < 2 || openSessions < 1)
    throw new Error(
      `The run did not break as it should: ${JSON.stringify({ done, acknowledged, openSessions })}`,
    );
  return journal;
}

/** A run of which nothing is left to do. */
export async function finishRun(agent: FakeAgent, directory: string, runId: string): Promise<FileJournal> {
  const journal = new FileJournal({ directory });
  const client = agent.client();
  const options = { maxConcurrentSessions: 2, journal: { journal, runId } };
  for await (const { outcome } of client.runBatch([{ n: 1 }, { fail: 'x' }], options)) void outcome;
  await client.close();
  return journal;
}
