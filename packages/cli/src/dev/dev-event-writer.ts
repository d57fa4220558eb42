import { stripVTControlCharacters } from 'node:util';
import type { CliContext } from '../cli-context.ts';
import { createPaint, hasColours } from '../terminal/paint.ts';
import { printableText } from '../terminal/printable-text.ts';
import type { DevEvent } from './dev-event.ts';
import { formatDevEvent } from './format-dev-event.ts';

export type DevEventListener = (event: DevEvent) => void;

/** Writes events to stdout, for people or, with `json`, for programs. */
export function devEventWriter(
  context: Pick<CliContext, 'stdout' | 'env'>,
  json: boolean,
  epochMs: () => number = Date.now,
): DevEventListener {
  const { stdout, env } = context;
  if (json) {
    return (event) => void stdout.write(`${printableText(JSON.stringify({ ...event, atMs: epochMs() }))}\n`);
  }
  const paint = createPaint(stdout, env);
  const coloured = hasColours(stdout, env);
  return (event) => {
    const text = formatDevEvent(event, paint);
    // Agents that force colours would fill a file with escape sequences.
    stdout.write(`${printableText(coloured ? text : stripVTControlCharacters(text))}\n`);
  };
}
