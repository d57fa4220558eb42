import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../temporary-folder.fixture.ts';
import { JsonLinesFile } from '@art/ground';
import { runPath } from './run-folder.ts';
import { sampleRecord } from './sample.fixture.ts';
import { readSamples } from './read-samples.ts';

async function idsOf(folder: string, fromByte = 0): Promise<string[]> {
  const ids: string[] = [];
  for await (const { record } of readSamples(folder, fromByte)) ids.push(record.id);
  return ids;
}

describe('samples.jsonl', () => {
  it('cut at any byte loses no whole line, and continues behind the last one', async () => {
    const records = ['a', 'ü"\n', '…\u2028'].map((taskId) => sampleRecord({ taskId, remarks: ['😀'] }));
    const folder = await temporaryFolder();
    {
      await using file = await JsonLinesFile.open(runPath(folder, 'samples'));
      await Promise.all(records.map((record) => file.append(record)));
    }
    const whole = await readFile(runPath(folder, 'samples'));
    expect(whole.length).toBeGreaterThan(1_000);
    // Every byte of the last line, and a few of the first.
    const lastLine = whole.lastIndexOf('\n', whole.length - 2);
    const cuts = Array.from({ length: whole.length + 1 }, (_, length) => length);
    const left = cuts.filter((length) => length < 10 || length >= lastLine);
    // Each line waits some milliseconds for others: several files wait at the same time.
    const cutOneFile = async (): Promise<void> => {
      const cutPath = runPath(await temporaryFolder(), 'samples');
      for (let length = left.pop(); length !== undefined; length = left.pop()) {
        await writeFile(cutPath, whole.subarray(0, length));
        const known = await idsOf(dirname(cutPath));
        expect(known.length).toBe(whole.subarray(0, length).toString('latin1').split('\n').length - 1);
        await using file = await JsonLinesFile.open(cutPath);
        for (const record of records) if (!known.includes(record.id)) await file.append(record);
        expect((await readFile(cutPath)).equals(whole), `cut at byte ${length}`).toBe(true);
      }
    };
    await Promise.all(Array.from({ length: 16 }, cutOneFile));
  });

  it('is followed while it grows; a line that is being written is left out until it is whole', async () => {
    const folder = await temporaryFolder();
    await using file = await JsonLinesFile.open(runPath(folder, 'samples'));
    await file.append(sampleRecord({ taskId: 'first' }));
    let endByte = 0;
    for await (const read of readSamples(folder)) endByte = read.endByte;
    const line = `${JSON.stringify(sampleRecord({ taskId: 'second' }))}\n`;
    await appendFile(runPath(folder, 'samples'), line.slice(0, 50));
    expect(await idsOf(folder, endByte)).toEqual([]);
    await appendFile(runPath(folder, 'samples'), line.slice(50));
    expect(await idsOf(folder, endByte)).toEqual(['second#0']);
  });

  it('reads lines that are longer than its portions, and passes over what is no sample', async () => {
    const folder = await temporaryFolder();
    const long = sampleRecord({ taskId: 'long', remarks: ['ü'.repeat(600_000)] });
    const lines = ['{"broken', '{"schema":"other"}', '', JSON.stringify(long), 'null'];
    await writeFile(runPath(folder, 'samples'), `${lines.join('\n')}\n`);
    const read = [];
    for await (const { record } of readSamples(folder)) read.push(record);
    expect(read).toMatchObject([long]);
  });

  it('has numbers that JSON does not have as texts', async () => {
    const folder = await temporaryFolder();
    {
      await using file = await JsonLinesFile.open(runPath(folder, 'samples'));
      await file.append(sampleRecord({ latencyMs: Number.NaN }));
    }
    expect(await readFile(runPath(folder, 'samples'), 'utf8')).toContain('"latencyMs":"NaN"');
  });

  it('of a folder without one is empty', async () => {
    expect(await idsOf(await temporaryFolder())).toEqual([]);
  });
});
