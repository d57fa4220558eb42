import type { TranscriptRecord } from '@art/eval/records';
import { jsonText } from './json-text.ts';
import { readMessage } from './read-message.ts';

/** True if a text stands in what the page shows of a transcript, in capitals or not. */
export function says(transcript: TranscriptRecord, text: string): boolean {
  const wanted = text.toLowerCase();
  for (const shown of transcriptTexts(transcript)) if (shown.toLowerCase().includes(wanted)) return true;
  return false;
}

function* transcriptTexts({
  payload,
  expected,
  messages,
  document,
  log,
}: TranscriptRecord): Generator<string, void, undefined> {
  yield jsonText(payload);
  yield jsonText(expected);
  for (const message of messages) {
    const { name, texts, toolCalls, toolResults } = readMessage(message);
    if (name !== undefined) yield name;
    for (const { text } of texts) yield text;
    for (const call of toolCalls) {
      yield call.name;
      yield call.arguments;
    }
    for (const { text } of toolResults) yield text;
  }
  yield jsonText(document);
  if (log !== null) yield log;
}
