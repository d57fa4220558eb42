import type { LinePlace } from '@art/ground';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TranscriptRecord } from '@art/eval/records';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../testing/temporary-folder.fixture.ts';
import { saidIn, type SaidSource } from './said-in.ts';
import { wellFormedTranscript } from './well-formed-transcript.ts';

async function sourceOf(said: readonly (string | null)[], filler = 0): Promise<SaidSource> {
  const path = join(await temporaryFolder(), 'transcripts.jsonl');
  const places: (LinePlace | null)[] = [];
  let [text, atByte] = ['', 0];
  for (const content of said) {
    if (content === null) {
      places.push(null);
      continue;
    }
    const line = `${JSON.stringify({ messages: [{ role: 'user', content }], filler: ' '.repeat(filler) })}\n`;
    places.push({ atByte, bytes: Buffer.byteLength(line) });
    text += line;
    atByte += Buffer.byteLength(line);
  }
  await writeFile(path, text);
  return {
    path,
    size: said.length,
    placeOf: (at) => places[at] ?? null,
    transcriptOf: (value) => wellFormedTranscript(value as TranscriptRecord),
  };
}

const { signal } = new AbortController();

it('looks at so many bytes for one answer, and says where the next one begins', async () => {
  const source = await sourceOf(['a Word', 'other', null, 'WORDS', 'word'], 6 << 20);
  expect(await saidIn(source, 'wOrD', 0, signal)).toEqual({ found: [0, 3], next: 4 });
  expect(await saidIn(source, 'wOrD', 4, signal)).toEqual({ found: [4], next: null });
});

it('finds in thousands of transcripts what few of them say, places that are none aside', async () => {
  const said = Array.from({ length: 3_000 }, (_, at) =>
    at % 1_000 === 7 ? 'the ünusual thing' : 'all is well',
  );
  const source = await sourceOf(said);
  expect(await saidIn(source, 'ÜNUSUAL THING', 0, signal)).toEqual({ found: [7, 1_007, 2_007], next: null });
  const wrong = { ...source, placeOf: () => ({ atByte: 1e12, bytes: 5 }) };
  expect(await saidIn(wrong, 'well', 0, signal)).toEqual({ found: [], next: null });
  expect(await saidIn({ ...source, path: '/no/such/file' }, 'well', 0, signal)).toEqual({
    found: [],
    next: null,
  });
});

it('ends when nobody waits for it any more', async () => {
  const source = await sourceOf(['word', 'word']);
  expect(await saidIn(source, 'word', 1, AbortSignal.abort())).toEqual({ found: [], next: 1 });
});
