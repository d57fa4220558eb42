import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SseFramer } from './sse-events.ts';

/** The events that a framer finds in pieces, with late line ends put back to where they belong, and what is left. */
function frame(pieces: readonly Buffer[]): { events: string[]; rest: string } {
  const framer = new SseFramer();
  const events: string[] = [];
  for (const piece of pieces) {
    framer.push(piece, (bytes, start, end, isLineEnd) => {
      const text = bytes.subarray(start, end).toString('latin1');
      if (isLineEnd) events.push((events.pop() ?? '') + text);
      else events.push(text);
    });
  }
  return { events, rest: framer.finish().toString('latin1') };
}

function split(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length];
  return places.slice(1).map((end, index) => bytes.subarray(places[index], end));
}

describe('SseFramer', () => {
  it.each(['\n', '\r\n', '\r'])('cuts at blank lines where lines end in %j', (lineEnd) => {
    const events = [`data: a${lineEnd}${lineEnd}`, `: c${lineEnd}data:b${lineEnd}id: 1${lineEnd}${lineEnd}`];
    expect(frame([Buffer.from(`${events.join('')}data: c`)])).toEqual({ events, rest: 'data: c' });
  });

  it('gives an event as soon as its blank line is there', () => {
    const framer = new SseFramer();
    const seen: string[] = [];
    const push = (text: string): void => {
      framer.push(Buffer.from(text), (bytes, start, end) => {
        seen.push(bytes.subarray(start, end).toString());
      });
    };
    push('data: a\n');
    expect(seen).toEqual([]);
    push('\n');
    expect(seen).toEqual(['data: a\n\n']);
    push('data: b\r\n\r');
    expect(seen).toEqual(['data: a\n\n', 'data: b\r\n\r']);
    push('\ndata: c\n\n');
    expect(seen.slice(2)).toEqual(['\n', 'data: c\n\n']);
  });

  it('finds the same events however the bytes are split', () => {
    const parts = fc.constantFrom('data: x', ': c', 'é', '\n', '\r\n', '\r', '\n\n', '\r\n\r\n', '\r\r');
    fc.assert(
      fc.property(
        fc.array(parts, { maxLength: 24 }),
        fc.array(fc.nat(), { maxLength: 12 }),
        (texts, cuts) => {
          const bytes = Buffer.from(texts.join(''));
          const whole = frame([bytes]);
          expect(frame(split(bytes, cuts))).toEqual(whole);
          expect(whole.events.join('') + whole.rest).toBe(bytes.toString('latin1'));
          // Each event ends in a blank line and has none before.
          for (const event of whole.events) {
            const lines = event.split(/\r\n|\r|\n/);
            expect(lines.slice(-2)).toEqual(['', '']);
            expect(lines.slice(0, -2)).not.toContain('');
          }
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('keeps a long event that comes in many pieces', () => {
    const event = Buffer.from(`data: ${'x'.repeat(100_000)}\n\n`);
    const pieces = Array.from({ length: Math.ceil(event.length / 777) }, (_, index) =>
      event.subarray(index * 777, (index + 1) * 777),
    );
    expect(frame(pieces)).toEqual({ events: [event.toString()], rest: '' });
  });
});
