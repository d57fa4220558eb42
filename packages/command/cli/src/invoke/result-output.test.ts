import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type RolloutRecord, rolloutSchema } from '@art/trajectories';
import { capturedContext } from '../captured-context.fixture.ts';
import { temporaryFolder } from '../temporary-folder.fixture.ts';
import { openResultOutput } from './result-output.ts';

const unheard = (): void => undefined;

describe('openResultOutput', () => {
  it('appends, and knows what is there', async () => {
    const cwd = await temporaryFolder();
    await writeFile(
      join(cwd, 'out'),
      '{"runId":"r","id":"12","x":"ü"}\n\n{"other":1}\n{"runId":"s","id":"1","x":1}\n' +
        // Ids are what a program calls its inputs; the last line is of an earlier version.
        '{"runId":"r","id":"a \\"ü\\"","x":1}\n{"runId":"r","id":"13","kind":"ok"}\n',
    );
    await using output = await openResultOutput('out', 'r', capturedContext({ cwd }), unheard);
    expect(['1', '2', '12', '13', 'a "ü"'].filter((id) => output.has(id))).toEqual(['12', '13', 'a "ü"']);
    const record = { schema: rolloutSchema, id: '1', runId: 'r' } as RolloutRecord;
    await output.write(record);
    expect((await readFile(join(cwd, 'out'), 'utf8')).split('\n').slice(-2)).toEqual([
      JSON.stringify(record),
      '',
    ]);
  });

  it('cuts off what a kill left of a line, whatever lies where its portions meet', async () => {
    const cwd = await temporaryFolder();
    const long = (id: number, length: number): string =>
      `{"runId":"r","id":"${id}","x":"${'ü'.repeat(length)}"}\n`;
    // A portion is a MiB: the second line begins in the first portion, and ends in the third.
    const whole = long(0, 524_270) + long(1, 1_048_576) + long(2, 3);
    await writeFile(join(cwd, 'out'), `${whole}{"runId":"r","id":"3","x":"`);
    const notices: string[] = [];
    await using output = await openResultOutput('out', 'r', capturedContext({ cwd }), (message) =>
      notices.push(message),
    );
    expect(['0', '1', '2', '3'].map((id) => output.has(id))).toEqual([true, true, true, false]);
    expect(await readFile(join(cwd, 'out'), 'utf8')).toBe(whole);
    expect(notices).toEqual([expect.stringContaining('cut off the last 27 bytes')]);
  });

  it('leaves a file alone that has something else in it', async () => {
    const cwd = await temporaryFolder();
    for (const text of ['my notes', 'a,b\n1,2\n', '{"a":1}\nmy notes']) {
      await writeFile(join(cwd, 'out'), text);
      await expect(openResultOutput('out', 'r', capturedContext({ cwd }), unheard)).rejects.toMatchObject({
        code: 'ART_INVALID_OPTION',
      });
      expect(await readFile(join(cwd, 'out'), 'utf8')).toBe(text);
    }
  });

  it('says why a file cannot be written', async () => {
    const cwd = await temporaryFolder();
    await mkdir(join(cwd, 'folder'));
    await expect(openResultOutput('folder', 'r', capturedContext({ cwd }), unheard)).rejects.toMatchObject({
      code: 'ART_OUTPUT_FAILED',
      message: expect.stringContaining('--out') as string,
    });
  });
});
