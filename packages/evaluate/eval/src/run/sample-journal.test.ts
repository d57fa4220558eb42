import { systemClock } from '@art/ground';
import { beginRun, FileJournal } from '@art/journal';
import { expect, it } from 'vitest';
import { runPath } from '../records/run-folder.ts';
import { temporaryFolder } from '../temporary-folder.fixture.ts';
import { openSampleJournal } from './sample-journal.ts';

it('a run that an earlier version broke off goes on once its sessions are stopped, and says how', async () => {
  const folder = await temporaryFolder();
  const directory = runPath(folder, 'journal');
  const journal = new FileJournal({ directory });
  expect(await openSampleJournal(folder)).toMatchObject({ runId: 'samples', wasBegun: false });
  // Each process had a run of its own in it, whose samples were known by where they stood.
  const facts = { kind: 'batch' as const, inputIdPrefix: 'p', options: {}, callbacks: [] };
  const log = await beginRun({ journal, runId: 'round-1' }, facts, { clock: systemClock });
  const work = { item: '0', index: 0, attempt: 0, payloadDigest: 'd' };
  const address = {
    inputId: 'p-0',
    sessionId: 's'.repeat(33),
    invocationId: 'i',
    bucket: 'b',
    resultKey: 'k',
  };
  await log.newRollout(work).intended(address);
  await log.close();
  await expect(openSampleJournal(folder)).rejects.toThrow(
    `Stop them with "art stop round-1 --journal ${directory}", then go on: their samples run again.`,
  );
});
