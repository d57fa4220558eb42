import { ArtError, describeThrown, fileAdvice, joinSentences, readMember } from '@art/ground';
import { moduleAdvice } from '@art/local';
import { CommanderError } from 'commander';
import type { CliContext } from './cli-context.ts';
import { exitCodes } from './exit-codes.ts';
import { documentation } from './terminal/documentation.ts';
import { createPaint, hasColours } from './terminal/paint.ts';
import { printableText } from './terminal/printable-text.ts';

const usageCodes: ReadonlySet<string> = new Set([
  'ART_INVALID_OPTION',
  'ART_INVALID_PAYLOAD',
  'ART_INVALID_ROLLOUT_CONFIG',
  'ART_INVALID_RESULT_KEY',
  'ART_INVALID_SESSION_ID',
  'ART_INVALID_ARN',
  'ART_INVALID_BUCKET',
  'ART_JSON_PARSE',
  'ART_JSON_WRITE',
  'ART_JOURNAL_EXISTS',
  'ART_JOURNAL_PAYLOADS_CHANGED',
]);

/** True if an error says that the caller's input is wrong. */
export function isUsageError(error: unknown): error is ArtError {
  return ArtError.isInstance(error) && usageCodes.has(error.code);
}

/** Error as programs read it. */
export function errorEvent(error: unknown): { event: 'error'; code: string; message: string } {
  if (ArtError.isInstance(error)) return { event: 'error', code: error.code, message: error.message };
  const { message } = describeThrown(error);
  const ofFile = fileAdvice(error);
  if (ofFile !== undefined)
    return { event: 'error', code: 'ART_OUTPUT_FAILED', message: joinSentences(message, ofFile) };
  // A module of the user's, such as a judge, which Node does not load.
  const advice = moduleAdvice(message) ?? moduleAdvice(String(readMember(error, 'code')));
  if (advice === undefined) return { event: 'error', code: 'internal', message };
  // The stack of an error of syntax begins with its place.
  const [place = ''] = /^(?:file:\/\/|\/).*:\d+$/m.exec(String(readMember(error, 'stack'))) ?? [];
  const text = place === '' ? message : `${place}: ${message}`;
  return { event: 'error', code: 'ART_INVALID_OPTION', message: joinSentences(text, advice) };
}

/**
 * Tells of an error that ended a command: a line on stderr, or with `json` one object on stdout.
 * @returns the exit code
 */
export function reportError(error: unknown, context: CliContext, json: boolean): number {
  // Help and version come as errors too; commander has written what there is to say, on the right stream.
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return exitCodes.ok;
    if (json) writeJson(context, 'usage', error.message.replace(/^error: /, ''));
    return exitCodes.usage;
  }
  const { code, message } = errorEvent(error);
  if (json) writeJson(context, code, message);
  const paint = createPaint(context.stderr, context.env);
  const isOwn = code !== 'internal';
  const named = isOwn && hasColours(context.stderr, context.env) ? linked(code) : code;
  context.stderr.write(`${paint('red', 'error')} ${named}: ${printableText(message)}\n`);
  if (usageCodes.has(code)) return exitCodes.usage;
  if (isOwn) return exitCodes.infrastructure;
  if (error instanceof Error && error.stack !== undefined)
    context.stderr.write(`${printableText(error.stack)}\n`);
  return exitCodes.internal;
}

/** A code that leads to its meaning where it is clicked on: https://gist.github.com/egmontkob/eb114294efbcd5adb1944c9f3cb5feda */
function linked(code: string): string {
  return `\u001b]8;;${documentation}/error-codes.md#:~:text=${code}\u001b\\${code}\u001b]8;;\u001b\\`;
}

function writeJson(context: CliContext, code: string, message: string): void {
  context.stdout.write(`${printableText(JSON.stringify({ event: 'error', code, message }))}\n`);
}
