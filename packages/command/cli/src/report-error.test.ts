import { mkdir } from 'node:fs/promises';
import { ArtError } from '@art/ground';
import { describe, expect, it } from 'vitest';
import { capturedContext } from './captured-context.fixture.ts';
import { reportError } from './report-error.ts';

describe('reportError', () => {
  it.each([
    ['ART_INVALID_PAYLOAD', 2],
    ['ART_INVALID_ARN', 2],
    ['ART_NO_DEV_INSTANCE', 3],
    ['ART_PORT_TAKEN', 3],
    ['ART_STORE_DENIED', 3],
  ] as const)('%s ends with %i', (code, exitCode) => {
    const context = capturedContext();
    expect(reportError(new ArtError({ code, message: 'why' }), context, false)).toBe(exitCode);
    expect(context.errors()).toBe(`error ${code}: why\n`);
    expect(context.output()).toBe('');
  });

  it('leads from a code to its meaning, on a terminal', () => {
    const error = new ArtError({ code: 'ART_PORT_TAKEN', message: 'why' });
    const context = capturedContext({ env: { FORCE_COLOR: '1' } });
    reportError(error, context, false);
    const [, address, shown] = /\u001b\]8;;([^\u001b]+)\u001b\\([^\u001b]+)\u001b\]8;;\u001b\\: why/.exec(
      context.errors(),
    )!;
    expect(shown).toBe('ART_PORT_TAKEN');
    expect(address).toMatch(/^https:\/\/.*\/error-codes\.md#:~:text=ART_PORT_TAKEN$/);
    const bug = capturedContext({ env: { FORCE_COLOR: '1' } });
    reportError(new TypeError('oops'), bug, false);
    expect(bug.errors()).not.toContain('http');
  });

  it('says what to do where the system refuses a file, without the stack of a bug', async () => {
    const context = capturedContext();
    const refusal: unknown = await mkdir(`${import.meta.filename}/below`).catch((error: unknown) => error);
    expect(reportError(refusal, context, false)).toBe(3);
    expect(context.errors()).toMatch(
      /^error ART_OUTPUT_FAILED: ENOTDIR: .*\. A file is where a folder .*\.\n$/,
    );
  });

  it('shows the stack of a bug', () => {
    const context = capturedContext();
    expect(reportError(new TypeError('oops'), context, true)).toBe(1);
    expect(context.errors()).toMatch(/error internal: oops\nTypeError: oops\n\s+at /);
    expect(JSON.parse(context.output())).toEqual({ event: 'error', code: 'internal', message: 'oops' });
  });

  it('says in a sentence what a CommonJS project does to a module of ES', () => {
    const context = capturedContext();
    reportError(new SyntaxError('Cannot use import statement outside a module'), context, false);
    expect(context.errors()).toMatch(/outside a module\. .*project is CommonJS.*npm pkg set type=module/);
  });

  it('names the file of the user that Node does not load, without a stack', () => {
    const context = capturedContext();
    const error = new SyntaxError("Unexpected token 'export'");
    error.stack = `/work/judge.ts:6\nexport default judge;\n^^^^^^\n\n${error.stack}`;
    expect(reportError(error, context, true)).toBe(2);
    expect(context.errors()).toMatch(
      /^error ART_INVALID_OPTION: \/work\/judge\.ts:6: Unexpected token 'export'\. .*end with \.mts.*\n$/,
    );
    expect(JSON.parse(context.output())).toMatchObject({ code: 'ART_INVALID_OPTION' });
  });

  it('shows what is in a stack and would rewrite the terminal as an escape', () => {
    const context = capturedContext();
    reportError(new TypeError('a\u001b[2Jb\u200fc'), context, false);
    expect(context.errors()).not.toMatch(/\u001b\[2J|\u200f/);
    expect(context.errors()).toMatch(/TypeError: a\\u001b\[2Jb\\u200fc/);
  });
});
