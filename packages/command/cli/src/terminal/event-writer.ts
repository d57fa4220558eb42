import { stripVTControlCharacters } from 'node:util';
import type { CliContext, OutputStream } from '../cli-context.ts';
import { createPaint, hasColours, type Paint } from './paint.ts';
import { printedJson } from './printed-json.ts';
import { printableText } from './printable-text.ts';

/** Tells one thing. */
export type Tell<Event extends object> = (event: Event) => void;

/**
 * The one way in which commands tell what happens. An event is a plain object: with `json` it is a line of stdout, for programs;
 * else it becomes text, for people.
 * @param describe the text, with its line break; nothing where people need not know
 * @param people where they read it @default stdout
 */
export function eventWriter<Event extends object>(
  { stdout, env }: Pick<CliContext, 'stdout' | 'env'>,
  json: boolean,
  describe: (event: Event, paint: Paint) => string,
  people: OutputStream = stdout,
): Tell<Event> {
  if (json) return (event) => void stdout.write(printedJson(event));
  const paint = createPaint(people, env);
  const coloured = hasColours(people, env);
  return (event) => {
    const text = describe(event, paint);
    // Agents that force colours would fill a file with escape sequences.
    if (text !== '') people.write(printableText(coloured ? text : stripVTControlCharacters(text)));
  };
}
