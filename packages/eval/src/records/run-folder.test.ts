import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../temporary-folder.fixture.ts';
import { readRunRecord, type RunRecord, writeRunRecord } from './run-record.ts';
import { readStatus } from './status-record.ts';
import {
  readTranscript,
  transcriptPath,
  type TranscriptRecord,
  writeTranscript,
} from './transcript-record.ts';

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
  it('keeps a transcript below itself, whatever its task is called', async () => {
    const folder = await temporaryFolder();
    const path = await writeTranscript(folder, transcript);
    expect(path).toMatch(/^transcripts\/etc-passwd~[0-9a-f]{12}\.2\.json$/);
    expect(await readTranscript(folder, path)).toEqual({ ...transcript, expected: '100000000000000000000' });
    expect(await readdir(join(folder, 'transcripts'))).toHaveLength(1);
  });

  it('has another file for each task, also where case does not count', () => {
    const names = ['a', 'A', 'a b', 'a-b', '', '.', '日本', '中国', 'x'.repeat(300)].map((id) =>
      transcriptPath(id, 0).toLowerCase(),
    );
    expect(new Set(names).size).toBe(names.length);
    expect(Math.max(...names.map((name) => name.length))).toBeLessThan(150);
  });

  it.each(['../secret.json', '/etc/passwd', 'transcripts', 'transcripts/../run.json'])(
    'reads no transcript from %s',
    async (path) => {
      const folder = await temporaryFolder();
      await writeFile(join(folder, 'run.json'), JSON.stringify({ schema: 'art.transcript.v1' }));
      await expect(readTranscript(folder, path)).rejects.toMatchObject({ code: 'ART_INVALID_OPTION' });
    },
  );

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
