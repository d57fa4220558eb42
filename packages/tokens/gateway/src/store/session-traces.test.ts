import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildTrajectory, toCompactTraces, type Trace } from '@art/trajectories';
import { conversation, sampleTrace } from '@art/trajectories/testing';
import { appended } from './conformance/trace-store-check.ts';
import { SessionTraces } from './session-traces.ts';
import { StoredTrace } from './stored-trace.ts';

/** Turns that continue an earlier one, drift from it somewhere, or begin anew. */
const turn = fc.record({
  from: fc.nat(20),
  cut: fc.nat(12),
  ids: fc.array(fc.oneof(fc.nat(9), fc.nat(70_000), fc.integer()), { maxLength: 6 }),
  completion: fc.array(fc.nat(200_000), { maxLength: 4 }),
  texts: fc.array(fc.string({ unit: 'grapheme', maxLength: 6 }), { maxLength: 3 }),
  tools: fc.option(fc.constantFrom('[]', '[1]', '[2.0]'), { nil: undefined }),
});

function tracesOf(turns: readonly (typeof turn extends fc.Arbitrary<infer Turn> ? Turn : never)[]): Trace[] {
  const traces: Trace[] = [];
  for (const [index, { from, cut, ids, completion, texts, tools }] of turns.entries()) {
    const parent = traces[from % Math.max(1, traces.length)];
    const known = parent === undefined ? [] : [...parent.promptTokenIds, ...parent.completionTokenIds];
    const said = parent === undefined ? [] : [...parent.messages, parent.responseMessage];
    traces.push(
      sampleTrace({
        traceId: `t${index}`,
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
  return traces;
}

describe('SessionTraces', () => {
  it('gives back any turns exactly, also from their bytes', () => {
    fc.assert(
      fc.property(fc.array(turn, { maxLength: 15 }), (turns) => {
        const traces = tracesOf(turns);
        const written = new SessionTraces();
        const loaded = new SessionTraces();
        for (const trace of traces) loaded.load(new StoredTrace(written.add(trace, 1)));
        for (const [ordinal, trace] of traces.entries()) {
          expect(appended(written.read(ordinal))).toEqual(trace);
          expect(loaded.read(ordinal)).toEqual(written.read(ordinal));
        }
        expect(loaded.bytes).toBe(written.bytes);
      }),
      { numRuns: 200 },
    );
  });

  it('finds the longest beginning that a prompt shares, from which rows and compact traces are the same as without', () => {
    fc.assert(
      fc.property(fc.array(turn, { maxLength: 15 }), fc.nat(15), (turns, missing) => {
        const traces = tracesOf(turns);
        const stored = new SessionTraces();
        for (const trace of traces) stored.add(trace, 1);
        const found = traces.map((_, ordinal) => stored.read(ordinal));
        for (const [index, { promptTokenIds, prefix }] of found.entries()) {
          const shared = (other: Trace): number =>
            commonPrefix([...other.promptTokenIds, ...other.completionTokenIds], promptTokenIds);
          const earlier = traces.slice(0, index);
          const parent = earlier.find(({ traceId }) => traceId === prefix?.traceId);
          expect(prefix?.kept).toBe(Math.max(0, ...earlier.map(shared)));
          expect(parent === undefined ? 0 : shared(parent)).toBe(prefix?.kept);
        }
        expect(buildTrajectory(found)).toEqual(buildTrajectory(traces));
        expect(toCompactTraces(found)).toBe(toCompactTraces(traces));
        // Readers may have only some of a session's traces.
        const without = (list: readonly Trace[]): Trace[] => list.filter((_, index) => index !== missing);
        expect(buildTrajectory(without(found))).toEqual(buildTrajectory(without(traces)));
      }),
      { numRuns: 200 },
    );
  });

  it('takes for a turn what the turn adds, not what it repeats', () => {
    const traces = conversation('s', 40);
    const stored = new SessionTraces();
    const sizes = traces.map((trace) => stored.add(trace, 1).byteLength);
    expect(Math.max(...sizes.slice(1)) - Math.min(...sizes.slice(1))).toBeLessThan(30);
    const tools = `[${'"a tool"'.repeat(1)}${',"a tool"'.repeat(500)}]`;
    const [first, second] = conversation('other', 2).map((trace) => ({ ...trace, tools })) as [Trace, Trace];
    expect(stored.add(first, 1).byteLength).toBeGreaterThan(tools.length);
    expect(stored.add(second, 1).byteLength).toBeLessThan(tools.length / 2);
  });

  it('forgets what is taken back, and continues as if it had not been', () => {
    const traces = conversation('s', 6);
    const stored = new SessionTraces();
    for (const trace of traces.slice(0, 3)) stored.add(trace, 1);
    const { bytes } = stored;
    for (const trace of traces.slice(3)) stored.add({ ...trace, model: 'taken back' }, 1);
    stored.truncate(3);
    expect(stored.bytes).toBe(bytes);
    for (const trace of traces.slice(3)) stored.add(trace, 1);
    expect(traces.map((_, ordinal) => appended(stored.read(ordinal)))).toEqual(traces);
  });
});

function commonPrefix(left: readonly number[], right: Int32Array): number {
  const differing = left.findIndex((id, index) => id !== right[index]);
  return differing === -1 ? left.length : differing;
}
