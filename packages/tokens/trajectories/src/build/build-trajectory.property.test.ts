import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Trace } from '../traces/trace.ts';
import { buildTrajectory } from './build-trajectory.ts';
import { checkRows } from './row-invariants.fixture.ts';
import { aTrace } from '../testing/scripted-traces.ts';
import type { TrajectoryOptions } from './trajectory-options.ts';

const few = { minLength: 0, maxLength: 4 };
const token = fc.integer({ min: 1, max: 4 });

/** One call: what it continues from, how far the engine spelled that anew, and what became of its capture. */
const call = fc.record({
  goesOnFrom: fc.nat({ max: 12 }),
  drift: fc.option(fc.nat({ max: 12 }), { freq: 4, nil: undefined }),
  suffix: fc.array(token, few),
  output: fc.array(token, few),
  capture: fc.constantFrom('complete', 'complete', 'complete', 'incomplete', 'partial', 'text_only'),
  repeatsTexts: fc.boolean(),
});

/** Sessions whose tokens are of few kinds, so that turns often have heads, answers and whole prompts in common. */
const session = fc.array(call, { minLength: 1, maxLength: 12 }).map((calls) => {
  const traces: Trace[] = [];
  for (const [index, { goesOnFrom, drift, suffix, output, capture, repeatsTexts }] of calls.entries()) {
    const before = traces[goesOnFrom];
    const head = before === undefined ? [1] : [...before.promptTokenIds, ...before.completionTokenIds];
    if (drift !== undefined && drift < head.length) head[drift] = 9;
    const history =
      before === undefined || !repeatsTexts
        ? [`q${index}`]
        : [
            ...before.messages.map((text) => (JSON.parse(text) as { content: string }).content),
            'a',
            `q${index % 3}`,
          ];
    traces.push(
      aTrace({
        traceId: `t${index}`,
        timestampMs: index,
        prompt: [...head, ...suffix],
        output,
        capture,
        messages: history.map((content, place) => ({
          role: place % 2 === 0 ? 'user' : 'assistant',
          content,
        })),
      }),
    );
  }
  return traces;
});

const options: fc.Arbitrary<TrajectoryOptions> = fc.record({
  mode: fc.constantFrom('exact', 'reference'),
  forkThresholdTokens: fc.nat({ max: 4 }),
});

function trainedBy(rows: ReturnType<typeof buildTrajectory>['rows']): string[] {
  return rows.flatMap((row) => row.turn_spans.map((span) => span.trace_id)).toSorted();
}

describe('rows of any session', () => {
  it('train every token of a complete capture exactly once', () => {
    fc.assert(
      fc.property(session, options, (traces, chosen) => {
        const { rows, summary } = buildTrajectory(traces, { ...chosen, mode: 'exact' });
        checkRows(rows, traces);
        const masked = new Set(summary.masked.map((turn) => turn.traceId));
        expect(trainedBy(rows)).toEqual(
          traces
            .map((trace) => trace.traceId)
            .filter((id) => !masked.has(id))
            .toSorted(),
        );
        const unmasked = traces.filter((trace) => !masked.has(trace.traceId));
        expect(summary.trainedTokens).toBe(
          unmasked.reduce((sum, trace) => sum + trace.completionTokenIds.length, 0),
        );
        for (const { traceId, reason } of summary.masked) {
          const trace = traces.find((candidate) => candidate.traceId === traceId);
          if (reason === 'abandoned') expect(trace?.capture).toBe('complete');
          else if (reason !== 'empty') expect(trace?.capture).toBe(reason);
          else expect(trace?.completionTokenIds).toHaveLength(0);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('hold only sequences that the engine has seen', () => {
    fc.assert(
      fc.property(session, (traces) => {
        const seen = new Set(
          traces.map((trace) => [...trace.promptTokenIds, ...trace.completionTokenIds].join()),
        );
        for (const row of buildTrajectory(traces).rows) expect(seen).toContain(row.token_ids.join());
      }),
      { numRuns: 150 },
    );
  });

  it('keep their invariants in every mode and cut at any length, and no token trains twice', () => {
    fc.assert(
      fc.property(session, options, fc.integer({ min: 1, max: 20 }), (traces, chosen, maxSampleTokens) => {
        checkRows(buildTrajectory(traces, chosen).rows, traces);
        const cut = buildTrajectory(traces, { ...chosen, maxSampleTokens });
        checkRows(cut.rows, traces);
        for (const row of cut.rows) {
          expect(row.token_ids.length).toBeLessThanOrEqual(maxSampleTokens);
          expect(row.loss_mask).toContain(1);
        }
      }),
      { numRuns: 200 },
    );
  });
});
