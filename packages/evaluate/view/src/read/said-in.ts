import { openPlacedLines, type LinePlace, unlessMissing } from '@art/ground';
import { type TranscriptRecord } from '@art/eval/records';
import type { Said } from '../report/said.ts';
import { says } from '../report/transcript-texts.ts';
import { mayHave } from './may-have.ts';

/** Bytes of transcripts that one answer looks at, and one transcript at least: anyone who wants more asks again. */
const mostBytes = 1 << 24;
/** Lines that are read at once. */
const batch = 64;

/** Transcripts that can be looked through. */
export interface SaidSource {
  /** File in whose lines they stand. */
  path: string;
  size: number;
  /** Null where there is none. */
  placeOf(at: number): LinePlace | null;
  /** The transcript in the value of a line. */
  transcriptOf(value: unknown): TranscriptRecord | null;
}

/** Samples from a position on in whose transcripts a text stands. Only lines that may have it are read as JSON. */
export async function saidIn(
  source: SaidSource,
  text: string,
  from: number,
  signal: AbortSignal,
): Promise<Said> {
  const found: number[] = [];
  const isLikely = mayHave(text);
  const has = (line: string): boolean => {
    if (!isLikely(line)) return false;
    const transcript = source.transcriptOf(parsed(line));
    return transcript !== null && says(transcript, text);
  };
  await using lines = await unlessMissing(openPlacedLines(source.path));
  if (lines === undefined) return { found, next: null };
  let bytes = 0;
  for (let at = from; at < source.size;) {
    if (bytes > mostBytes || signal.aborted) return { found, next: at };
    const portion: { at: number; line: Promise<Buffer | undefined> }[] = [];
    for (; at < source.size && portion.length < batch && bytes <= mostBytes; at += 1) {
      const place = source.placeOf(at);
      if (place === null) continue;
      bytes += place.bytes;
      // What cannot be read is told where the sample is looked at.
      portion.push({ at, line: lines.lineAt(place).catch(() => undefined) });
    }
    for (const { at: place, line } of portion)
      if (has((await line)?.toString('utf8') ?? '')) found.push(place);
  }
  return { found, next: null };
}

/** Before the line there may be others that are no samples. */
function parsed(lines: string): unknown {
  const text = lines.trimEnd();
  try {
    return JSON.parse(text.slice(text.lastIndexOf('\n') + 1)) as unknown;
  } catch {
    return undefined;
  }
}
