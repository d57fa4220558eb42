import { appendFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../temporary-folder.fixture.ts';
import { JsonLinesFile, type LinePlace } from '@art/ground';
import { runPath } from './run-folder.ts';
import { readRunRecord, type RunRecord, writeRunRecord } from './run-record.ts';
import { readStatus } from './status-record.ts';
import { readTranscript, type TranscriptRecord } from './transcript-record.ts';

const transcript: TranscriptRecord = {
  schema: 'art.transcript.v1',
  taskId: '../../etc/passwd',
  sample: 2,
  sessionId: null,
  payload: { prompt: '\uD800 <script>' },
  expected: 10n ** 20n,
  document: null,
  messages: [],
  calls: [],
  rows: [],
  log: null,
};

describe('the folder of a run', () => {
  it('has transcripts as lines of one file, each at the place that its sample tells', async () => {
    const folder = await temporaryFolder();
    const path = runPath(folder, 'transcripts');
    const second = { ...transcript, taskId: 'second' };
    const places: LinePlace[] = [];
    for (const portion of [[transcript, second], [second]]) {
      await using file = await JsonLinesFile.open(path);
      places.push(...(await Promise.all(portion.map((record) => file.append(record)))));
      // A killed process leaves a piece behind, which nothing tells of.
      await appendFile(path, '{"schema":"art.tran');
    }
    const read = await Promise.all(places.map((place) => readTranscript(folder, place)));
    expect(read.map(({ taskId }) => taskId)).toEqual([transcript.taskId, 'second', 'second']);
    expect(read[0]).toEqual({ ...transcript, expected: '100000000000000000000' });
  });

  it.each([
    { atByte: 0, bytes: 10 },
    { atByte: -1, bytes: 10 },
    { atByte: 5, bytes: 1e15 },
    { atByte: 1e15, bytes: 5 },
    { atByte: 0.5, bytes: 5 },
    { atByte: 0, bytes: 36 },
    '../secret.json' as unknown as LinePlace,
  ])('reads no transcript at %o', async (place) => {
    const folder = await temporaryFolder();
    await writeFile(
      runPath(folder, 'transcripts'),
      `${JSON.stringify({ schema: 'art.transcript.v9 ...' })}\n`,
    );
    await expect(readTranscript(folder, place)).rejects.toMatchObject({ code: 'ART_INVALID_OPTION' });
  });

  it('is known by its run.json', async () => {
    const folder = await temporaryFolder();
    await expect(readRunRecord(folder)).rejects.toMatchObject({ code: 'ART_INVALID_OPTION' });
    const record = { schema: 'art.run.v1', runId: 'r' } as RunRecord;
    await writeRunRecord(folder, record);
    expect(await readRunRecord(folder)).toEqual(record);
    expect(await readdir(folder)).toEqual(['run.json']);
    await writeFile(join(folder, 'run.json'), '{"schema":"art.run.v9"}');
    await expect(readRunRecord(folder)).rejects.toThrow('art.run.v1');
  });

  it('has no status where none was written, or what was written is none', async () => {
    const folder = await temporaryFolder();
    expect(await readStatus(folder)).toBeUndefined();
    for (const text of ['', '{"sch', 'null', '{}']) {
      await writeFile(join(folder, 'status.json'), text);
      expect(await readStatus(folder)).toBeUndefined();
    }
  });
});
