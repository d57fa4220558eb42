import { ArtError, describeValue, isJsonObject, parseJson, type JsonObject } from '@art/ground';
import { checkTrainingRow } from '../rows/check-training-row.ts';
import type { TrainingRow } from '../rows/training-row.ts';

/** Bytes or text as they come, cut anywhere: a file stream, the body of a reply. */
export type JsonlSource = AsyncIterable<Uint8Array | string> | Iterable<Uint8Array | string>;

export interface ReadJsonlOptions {
  /**
   * Called with a last line that has no line end and is not whole, as it is left behind by a writer that was killed.
   * @default the line is an error
   */
  onTorn?: (text: string) => void;
}

/**
 * The objects of a JSONL file, one after the other; empty lines are passed over.
 * @throws ArtError `ART_INVALID_JSONL` with the number of the line
 */
export async function* readJsonl(
  source: JsonlSource,
  options: ReadJsonlOptions = {},
): AsyncGenerator<JsonObject, void, void> {
  let number = 0;
  let rest = '';
  for await (const text of decode(source)) {
    const lines = text.split('\n');
    lines[0] = rest + lines[0]!;
    rest = lines.pop()!;
    for (const line of lines) {
      number += 1;
      if (line.trim() !== '') yield parseLine(line, number);
    }
  }
  if (rest.trim() === '') return;
  let last: JsonObject;
  try {
    last = parseLine(rest, number + 1);
  } catch (error) {
    if (options.onTorn === undefined) throw error;
    options.onTorn(rest);
    return;
  }
  yield last;
}

/**
 * The training rows of a JSONL file, each of them checked.
 * @throws ArtError `ART_INVALID_JSONL`, `ART_INVALID_TRAINING_ROW`
 */
export async function* readTrainingRows(
  source: JsonlSource,
  options: ReadJsonlOptions = {},
): AsyncGenerator<TrainingRow, void, void> {
  for await (const row of readJsonl(source, options)) {
    const candidate: unknown = row;
    checkTrainingRow(candidate);
    yield candidate;
  }
}

async function* decode(source: JsonlSource): AsyncGenerator<string, void, void> {
  const decoder = new TextDecoder('utf-8');
  for await (const chunk of source) {
    yield typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
  }
  yield decoder.decode();
}

function parseLine(line: string, number: number): JsonObject {
  let value: unknown;
  try {
    value = parseJson(line);
  } catch (cause) {
    refuse(`Line ${number} is not JSON, or is torn: ${(cause as Error).message}`, cause);
  }
  if (!isJsonObject(value))
    refuse(`Expected line ${number} to be a JSON object, got ${describeValue(value)}.`);
  return value as JsonObject;
}

function refuse(message: string, cause?: unknown): never {
  throw new ArtError({ code: 'ART_INVALID_JSONL', message, cause });
}
