import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { capturedContext } from '../captured-context.fixture.ts';
import { temporaryFolder } from '../temporary-folder.fixture.ts';
import { readPayloadList } from './read-payload-list.ts';

async function read(text: string | Buffer): Promise<unknown> {
  const cwd = await temporaryFolder();
  await writeFile(join(cwd, 'p'), text);
  return readPayloadList('p', { ...capturedContext(), cwd });
}

describe('readPayloadList', () => {
  it.each<[string, string, unknown]>([
    ['lines', '{"a":1}\n{"a":"ü"}\n', [{ a: 1 }, { a: 'ü' }]],
    ['lines of Windows, empty ones, none at the end', '\uFEFF{"a":1}\r\n\r\n  {"a":2}', [{ a: 1 }, { a: 2 }]],
    ['an array over several lines', ' \n[{"a":1},\n {"a":2}]\n', [{ a: 1 }, { a: 2 }]],
    ['line separators of Unicode in a text', '{"a":"x\u2028y\u2029z"}\n', [{ a: 'x\u2028y\u2029z' }]],
    ['big integers', '{"id":12345678901234567890}', [{ id: 12_345_678_901_234_567_890n }]],
  ])('reads %s', async (_, text, expected) => {
    expect(await read(text)).toEqual(expected);
    expect(await readPayloadList('-', capturedContext({ stdin: text }))).toEqual(expected);
  });

  it.each(['', '\n \n', '[]'])('refuses %j, which has none', async (text) => {
    const refusal = { code: 'ART_INVALID_PAYLOAD', message: expect.stringMatching(/has none\.$/) as string };
    await expect(read(text)).rejects.toMatchObject(refusal);
    await expect(readPayloadList('-', capturedContext({ stdin: text }))).rejects.toMatchObject(refusal);
  });

  it.each<[string, RegExp]>([
    ['{"a":1}\n{"a":\n', /line 2: /],
    ['{"a":1}\n\n[1]\n', /line 3 is an array/],
    ['[{"a":1}, 7]', /item 1 is 7/],
    ['[{"a":1}', /one array/],
    ['{"_rollout":{}}', /line 1 has one/],
  ])('refuses %j and names the place', async (text, message) => {
    await expect(read(text)).rejects.toMatchObject({
      code: 'ART_INVALID_PAYLOAD',
      message: expect.stringMatching(message) as string,
    });
  });

  it('refuses other encodings with the line, in lines and in an array', async () => {
    for (const text of ['{"a":1}\n{"a":"\xf6"}\n', '[{"a":1},\n{"a":"\xf6"}]'])
      await expect(read(Buffer.from(text, 'latin1'))).rejects.toMatchObject({
        code: 'ART_TEXT_ENCODING',
        message: expect.stringContaining('line 2') as string,
      });
  });

  it('says that a file is not there, and lets go of stdin when it is interrupted', async () => {
    await expect(readPayloadList('none', capturedContext())).rejects.toMatchObject({
      code: 'ART_INVALID_PAYLOAD',
      message: expect.stringContaining('none') as string,
    });
    const stdin = new PassThrough();
    const controller = new AbortController();
    const reading = readPayloadList('-', { ...capturedContext(), stdin }, controller.signal);
    controller.abort(new Error('enough'));
    await expect(reading).rejects.toThrow('enough');
    expect(stdin.destroyed).toBe(true);
  });
});
