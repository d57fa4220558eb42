import type { Conversation, TrainingRow } from '@art/trajectories';
import { ArtError, isJsonObject, type JsonObject, openPlacedLines, type LinePlace } from '@art/ground';
import { runPath } from './run-folder.ts';

/** A line of `transcripts.jsonl`: what a sample was given, said and did. Everything in it may be hostile. `calls` is empty without a gateway. */
export interface TranscriptRecord extends Conversation {
  schema: 'art.transcript.v1';
  taskId: string;
  sample: number;
  sessionId: string | null;
  /** Payload as the agent was sent it, without our own fields. */
  payload: JsonObject;
  /** Right answer by the task; null where it says nothing. */
  expected: unknown;
  /** The agent's result document, without its copy of the payload; null where there is none. */
  document: JsonObject | null;
  /** Rows that a trainer would get. Empty where nothing was captured that trains. */
  rows: TrainingRow[];
  /** Last lines of the session's log, where the runtime has one. */
  log: string | null;
}

/**
 * @param place `transcript` of a sample
 * @throws ArtError `ART_INVALID_OPTION` where no transcript stands there
 */
export async function readTranscript(folder: string, place: LinePlace): Promise<TranscriptRecord> {
  const path = runPath(folder, 'transcripts');
  let value: unknown;
  try {
    value = JSON.parse(await readPlace(path, place));
  } catch (cause) {
    throw noTranscript(path, place, (cause as Error).message, cause);
  }
  if (!isJsonObject(value) || value['schema'] !== 'art.transcript.v1')
    throw noTranscript(path, place, 'it is not of the schema art.transcript.v1');
  return value as unknown as TranscriptRecord;
}

async function readPlace(path: string, place: LinePlace): Promise<string> {
  await using lines = await openPlacedLines(path);
  return (await lines.lineAt(place)).toString('utf8');
}

function noTranscript(path: string, place: LinePlace, why: string, cause?: unknown): ArtError {
  return new ArtError({
    code: 'ART_INVALID_OPTION',
    message: `Expected a transcript of ${place.bytes} bytes at byte ${place.atByte} of ${path}: ${why}.`,
    cause,
  });
}
