import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { ArtError, decodeText, describeValue, isJsonObject, parseJson, readTextLines } from '@art/ground';
import type { CliContext } from '../cli-context.ts';
import { readStdin } from './read-stdin.ts';

/** One object: a payload. */
type PayloadObject = Record<string, unknown>;

/** As long as a text in memory can be; a file of lines has no such limit. */
const longestStdinBytes = 2 ** 29 - 1;

/**
 * The payloads of a batch: a file with one JSON object a line, or with one array of objects; `-` is stdin. The first
 * character tells which.
 * @throws ArtError `ART_INVALID_PAYLOAD` that names the line; the signal's reason when it aborts
 */
export async function readPayloadList(
  argument: string,
  context: Pick<CliContext, 'stdin' | 'stderr' | 'cwd'>,
  signal?: AbortSignal,
): Promise<PayloadObject[]> {
  if (argument === '-') {
    const text = await readStdin(context, 'payloads', checkStdin, signal);
    const payloads = isArray(text)
      ? fromArray(text, 'stdin')
      : await fromLines(Readable.from([text]), 'stdin', signal);
    return atLeastOne(payloads, 'stdin');
  }
  const path = resolve(context.cwd, argument);
  try {
    // Awaited here, so that what cannot be read is told below.
    const isList = isArray(await beginningOf(path));
    const payloads = isList
      ? fromArray(await wholeText(path, signal), path)
      : await fromLines(createReadStream(path), path, signal);
    return atLeastOne(payloads, path);
  } catch (cause) {
    signal?.throwIfAborted();
    if (ArtError.isInstance(cause)) throw cause;
    return refuse(`in a file that can be read: ${(cause as Error).message}`, cause);
  }
}

/** An empty file is most often the work of a command that failed before this one. */
function atLeastOne(payloads: PayloadObject[], origin: string): PayloadObject[] {
  return payloads.length > 0 ? payloads : refuse(`one object at least; ${origin} has none.`);
}

function checkStdin(bytes: number): void {
  if (bytes > longestStdinBytes) refuse('shorter than 512 MB on stdin. Name a file instead.');
}

async function beginningOf(path: string): Promise<string> {
  for await (const piece of createReadStream(path, { encoding: 'utf8', end: 4_095 })) return piece as string;
  return '';
}

async function wholeText(path: string, signal: AbortSignal | undefined): Promise<string> {
  return (await Array.fromAsync(decodeText(createReadStream(path, { signal }), path))).join('');
}

/** A byte order mark, as some editors write it, is white space here. */
function isArray(text: string): boolean {
  return text.trimStart().startsWith('[');
}

function fromArray(text: string, origin: string): PayloadObject[] {
  const values = parse(text, origin);
  if (!Array.isArray(values)) return refuse(`a JSON array or JSON lines; ${origin} is neither.`);
  return values.map((value, index) => checkPayload(value, `${origin}, item ${index}`));
}

async function fromLines(
  input: Readable,
  origin: string,
  signal: AbortSignal | undefined,
): Promise<PayloadObject[]> {
  const payloads: PayloadObject[] = [];
  try {
    for await (const { text, number } of readTextLines(input, origin)) {
      signal?.throwIfAborted();
      if (text.trim() === '') continue;
      const place = `${origin}, line ${number}`;
      payloads.push(checkPayload(parse(text.trim(), place), place));
    }
  } finally {
    input.destroy();
  }
  return payloads;
}

function parse(text: string, origin: string): unknown {
  try {
    return parseJson(text.trimStart());
  } catch (cause) {
    return refuse(`one JSON object a line, or one array; ${origin}: ${(cause as Error).message}`, cause);
  }
}

function checkPayload(value: unknown, origin: string): PayloadObject {
  if (!isJsonObject(value)) return refuse(`JSON objects; ${origin} is ${describeValue(value)}.`);
  if (Object.hasOwn(value, '_rollout'))
    return refuse(`without the field _rollout, which is added to each; ${origin} has one.`);
  return value;
}

function refuse(expected: string, cause?: unknown): never {
  throw new ArtError({
    code: 'ART_INVALID_PAYLOAD',
    message: `Expected the payloads to be ${expected}`,
    cause,
  });
}
