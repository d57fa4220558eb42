import { describe, expect, it } from 'vitest';
import { sampleRow } from '../testing/sample-row.ts';
import { readJsonl, readTrainingRows, type JsonlSource, type ReadJsonlOptions } from './read-jsonl.ts';
import { writeJsonl } from './write-jsonl.ts';

const read = (source: JsonlSource, options?: ReadJsonlOptions): Promise<unknown[]> =>
  Array.fromAsync(readJsonl(source, options));

describe('writeJsonl', () => {
  it('writes what readTrainingRows reads, big integers and all', async () => {
    const rows = [sampleRow(), sampleRow({ metadata: { big: 2n ** 60n, text: 'ü\n𝄞' } })];
    const lines = await Array.fromAsync(writeJsonl(rows));
    expect(lines).toHaveLength(2);
    expect(lines.every((line) => line.indexOf('\n') === line.length - 1)).toBe(true);
    expect(await Array.fromAsync(readTrainingRows(lines))).toEqual(rows);
  });

  it('refuses what would be changed silently', async () => {
    await expect(Array.fromAsync(writeJsonl([{ reward: Number.NaN }]))).rejects.toMatchObject({
      code: 'ART_JSON_WRITE',
    });
  });
});

describe('readJsonl', () => {
  it('puts lines together from bytes that are cut anywhere', async () => {
    const bytes = new TextEncoder().encode('{"a":"ü𝄞"}\r\n\n{"b":1152921504606846976}\n{"c":NaN}');
    const expected = [{ a: 'ü𝄞' }, { b: 1_152_921_504_606_846_976n }, { c: Number.NaN }];
    for (let size = 1; size <= bytes.length; size += 1) {
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
        bytes.slice(index * size, (index + 1) * size),
      );
      expect(await read(chunks)).toEqual(expected);
    }
  });

  it('tells of a torn last line by its number, or to whom it may concern', async () => {
    const source = ['{"a":1}\n', '{"b":'];
    await expect(read(source)).rejects.toMatchObject({
      code: 'ART_INVALID_JSONL',
      message: expect.stringContaining('Line 2') as string,
    });
    const torn: string[] = [];
    expect(await read(source, { onTorn: (text) => torn.push(text) })).toEqual([{ a: 1 }]);
    expect(torn).toEqual(['{"b":']);
  });

  it('does not forgive a broken line in the middle, or one that is no object', async () => {
    const onTorn = (): void => undefined;
    await expect(read(['{"a":\n{"b":1}\n'], { onTorn })).rejects.toMatchObject({ code: 'ART_INVALID_JSONL' });
    await expect(read(['{}\n[1]\n'], { onTorn })).rejects.toMatchObject({
      message: 'Expected line 2 to be a JSON object, got an array of 1.',
    });
  });

  it('reads nothing from nothing', async () => {
    expect(await read([])).toEqual([]);
    expect(await read(['\n \n'])).toEqual([]);
  });
});

describe('readTrainingRows', () => {
  it('checks each row', async () => {
    const wrong = JSON.stringify({ ...sampleRow(), prompt_length: 9 });
    await expect(Array.fromAsync(readTrainingRows([wrong]))).rejects.toMatchObject({
      code: 'ART_INVALID_TRAINING_ROW',
    });
  });
});
