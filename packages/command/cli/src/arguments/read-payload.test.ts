import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { capturedContext } from '../captured-context.fixture.ts';
import { temporaryFolder } from '../temporary-folder.fixture.ts';
import { readPayload } from './read-payload.ts';

describe('readPayload', () => {
  it('reads an argument, a file and stdin', async () => {
    const cwd = await temporaryFolder();
    await writeFile(join(cwd, 'problem.json'), '{"prompt":"äöü"}');
    expect(await readPayload('{"a":1}', capturedContext())).toEqual({ a: 1 });
    expect(await readPayload('@problem.json', capturedContext({ cwd }))).toEqual({ prompt: 'äöü' });
    expect(await readPayload('-', capturedContext({ stdin: '{"b":[2]}' }))).toEqual({ b: [2] });
  });

  it('keeps integers that a double cannot hold', async () => {
    expect(await readPayload('{"id":12345678901234567890}', capturedContext())).toEqual({
      id: 12_345_678_901_234_567_890n,
    });
  });

  it.each([
    ['prompt', /the argument is not JSON/],
    ['[1]', /JSON object.*the argument is an array of 1/],
    ['null', /the argument is null/],
    ['@missing.json', /file that can be read.*missing\.json/],
    ['-', /stdin is not JSON/],
  ])('refuses %j', async (argument, message) => {
    const refusal = readPayload(argument, capturedContext({ stdin: '' }));
    await expect(refusal).rejects.toThrow(message);
    await expect(refusal).rejects.toMatchObject({ code: 'ART_INVALID_PAYLOAD' });
  });

  it('stops waiting for stdin when it is interrupted, and lets go of it', async () => {
    const stdin = new PassThrough();
    const controller = new AbortController();
    const reading = readPayload('-', { ...capturedContext(), stdin }, controller.signal);
    stdin.write('{"half":');
    controller.abort(new Error('enough'));
    await expect(reading).rejects.toThrow('enough');
    expect(stdin.destroyed).toBe(true);
  });

  it('says on a terminal that it waits', async () => {
    const context = capturedContext({ stdin: '{}' });
    context.stdin.isTTY = true;
    await readPayload('-', context);
    expect(context.errors()).toContain('Ctrl-D');
  });
});
