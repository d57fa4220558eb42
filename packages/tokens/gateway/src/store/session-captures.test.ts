import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildTrajectory, toCompactCaptures, type Capture } from '@art/trajectories';
import { conversation, sampleCapture } from '@art/trajectories/testing';
import { appended } from './conformance/capture-store-check.ts';
import { SessionCaptures } from './session-captures.ts';
import { StoredCapture } from './stored-capture.ts';

/** Turns that continue an earlier one, drift from it somewhere, or begin anew. */
const turn = fc.record({
  from: fc.nat(20),
  cut: fc.nat(12),
  ids: fc.array(fc.oneof(fc.nat(9), fc.nat(70_000), fc.integer()), { maxLength: 6 }),
  completion: fc.array(fc.nat(200_000), { maxLength: 4 }),
  texts: fc.array(fc.string({ unit: 'grapheme', maxLength: 6 }), { maxLength: 3 }),
  tools: fc.option(fc.constantFrom('[]', '[1]', '[2.0]'), { nil: undefined }),
});

function capturesOf(
  turns: readonly (typeof turn extends fc.Arbitrary<infer Turn> ? Turn : never)[],
): Capture[] {
  const captures: Capture[] = [];
  for (const [index, { from, cut, ids, completion, texts, tools }] of turns.entries()) {
    const parent = captures[from % Math.max(1, captures.length)];
    const known = parent === undefined ? [] : [...parent.promptTokenIds, ...parent.completionTokenIds];
    const said = parent === undefined ? [] : [...parent.messages, parent.responseMessage];
    captures.push(
      sampleCapture({
        captureId: `t${index}`,
        sessionId: 's',
        promptTokenIds: Int32Array.from([...known.slice(0, Math.max(0, known.length - cut)), ...ids]),
        completionTokenIds: Int32Array.from(completion),
        logprobs: Float64Array.from(completion, (id) => -id / 7),
        messages: [
          ...said.slice(0, Math.max(0, said.length - (cut % 3))),
          ...texts.map((text) => JSON.stringify(text)),
        ],
        responseMessage: JSON.stringify({ role: 'assistant', content: String(index % 4) }),
        tools,
      }),
    );
  }
  return captures;
}

describe('SessionCaptures', () => {
  it('gives back any turns exactly, also from their bytes', () => {
    fc.assert(
      fc.property(fc.array(turn, { maxLength: 15 }), (turns) => {
        const captures = capturesOf(turns);
        const written = new SessionCaptures();
        const loaded = new SessionCaptures();
        for (const capture of captures) loaded.load(new StoredCapture(written.add(capture, 1)));
        for (const [ordinal, capture] of captures.entries()) {
          expect(appended(written.read(ordinal))).toEqual(capture);
          expect(loaded.read(ordinal)).toEqual(written.read(ordinal));
        }
        expect(loaded.bytes).toBe(written.bytes);
      }),
      { numRuns: 200 },
    );
  });

  it('finds the longest beginning that a prompt shares, from which rows and compact captures are the same as without', () => {
    fc.assert(
      fc.property(fc.array(turn, { maxLength: 15 }), fc.nat(15), (turns, missing) => {
        const captures = capturesOf(turns);
        const stored = new SessionCaptures();
        for (const capture of captures) stored.add(capture, 1);
        const found = captures.map((_, ordinal) => stored.read(ordinal));
        for (const [index, { promptTokenIds, prefix }] of found.entries()) {
          const shared = (other: Capture): number =>
            commonPrefix([...other.promptTokenIds, ...other.completionTokenIds], promptTokenIds);
          const earlier = captures.slice(0, index);
          const parent = earlier.find(({ captureId }) => captureId === prefix?.captureId);
          expect(prefix?.kept).toBe(Math.max(0, ...earlier.map(shared)));
          expect(parent === undefined ? 0 : shared(parent)).toBe(prefix?.kept);
        }
        expect(buildTrajectory(found)).toEqual(buildTrajectory(captures));
        expect(toCompactCaptures(found)).toBe(toCompactCaptures(captures));
        // Readers may have only some of a session's captures.
        const without = (list: readonly Capture[]): Capture[] => list.filter((_, index) => index !== missing);
        expect(buildTrajectory(without(found))).toEqual(buildTrajectory(without(captures)));
      }),
      { numRuns: 200 },
    );
  });

  it('takes for a turn what the turn adds, not what it repeats', () => {
    const captures = conversation('s', 40);
    const stored = new SessionCaptures();
    const sizes = captures.map((capture) => stored.add(capture, 1).byteLength);
    expect(Math.max(...sizes.slice(1)) - Math.min(...sizes.slice(1))).toBeLessThan(30);
    const tools = `[${'"a tool"'.repeat(1)}${',"a tool"'.repeat(500)}]`;
    const [first, second] = conversation('other', 2).map((capture) => ({ ...capture, tools })) as [
      Capture,
      Capture,
    ];
    expect(stored.add(first, 1).byteLength).toBeGreaterThan(tools.length);
    expect(stored.add(second, 1).byteLength).toBeLessThan(tools.length / 2);
  });

  it('forgets what is taken back, and continues as if it had not been', () => {
    const captures = conversation('s', 6);
    const stored = new SessionCaptures();
    for (const capture of captures.slice(0, 3)) stored.add(capture, 1);
    const { bytes } = stored;
    for (const capture of captures.slice(3)) stored.add({ ...capture, model: 'taken back' }, 1);
    stored.truncate(3);
    expect(stored.bytes).toBe(bytes);
    for (const capture of captures.slice(3)) stored.add(capture, 1);
    expect(captures.map((_, ordinal) => appended(stored.read(ordinal)))).toEqual(captures);
  });
});

function commonPrefix(left: readonly number[], right: Int32Array): number {
  const differing = left.findIndex((id, index) => id !== right[index]);
  return differing === -1 ? left.length : differing;
}
