import type { TranscriptRecord } from '@art/eval/records';
import type { Said } from '../report/said.ts';
import { says } from '../report/transcript-texts.ts';

/** Bytes of transcripts that one answer looks at, and one transcript at least: whoever wants more asks again. */
const mostBytes = 1 << 24;

/** Transcripts that can be looked through. */
export interface SaidSource {
  size: number;
  /** What it takes to read one. */
  bytesOf(at: number): number;
  transcriptOf(at: number): Promise<TranscriptRecord | null>;
}

export async function saidIn(
  source: SaidSource,
  text: string,
  from: number,
  signal: AbortSignal,
): Promise<Said> {
  const found: number[] = [];
  let bytes = 0;
  for (let at = from; at < source.size; at += 1) {
    if (bytes > mostBytes || signal.aborted) return { found, next: at };
    bytes += source.bytesOf(at);
    const transcript = await source.transcriptOf(at);
    if (transcript !== null && says(transcript, text)) found.push(at);
  }
  return { found, next: null };
}
