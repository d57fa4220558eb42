import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Capture } from '../captures/capture.ts';
import { buildTrajectory } from './build-trajectory.ts';
import { checkRows } from './row-invariants.fixture.ts';
import { aCapture } from '../testing/scripted-captures.ts';
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
  const captures: Capture[] = [];
  for (const [index, { goesOnFrom, drift, suffix, output, capture, repeatsTexts }] of calls.entries()) {
    const before = captures[goesOnFrom];
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
    captures.push(
      aCapture({
        captureId: `t${index}`,
        timestampMs: index,
        prompt: [...head, ...suffix],
        output,
        status: capture,
        messages: history.map((content, place) => ({
          role: place % 2 === 0 ? 'user' : 'assistant',
          content,
        })),
      }),
    );
  }
  return captures;
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
      fc.property(session, options, (captures, chosen) => {
        const { rows, summary } = buildTrajectory(captures, { ...chosen, mode: 'exact' });
        checkRows(rows, captures);
        const masked = new Set(summary.masked.map((turn) => turn.captureId));
        expect(trainedBy(rows)).toEqual(
          captures
            .map((capture) => capture.captureId)
            .filter((id) => !masked.has(id))
            .toSorted(),
        );
        const unmasked = captures.filter((capture) => !masked.has(capture.captureId));
        expect(summary.trainedTokens).toBe(
          unmasked.reduce((sum, capture) => sum + capture.completionTokenIds.length, 0),
        );
        for (const { captureId, reason } of summary.masked) {
          const capture = captures.find((candidate) => candidate.captureId === captureId);
          if (reason === 'abandoned') expect(capture?.status).toBe('complete');
          else if (reason !== 'empty') expect(capture?.status).toBe(reason);
          else expect(capture?.completionTokenIds).toHaveLength(0);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('hold only sequences that the engine has seen', () => {
    fc.assert(
      fc.property(session, (captures) => {
        const seen = new Set(
          captures.map((capture) => [...capture.promptTokenIds, ...capture.completionTokenIds].join()),
        );
        for (const row of buildTrajectory(captures).rows) expect(seen).toContain(row.token_ids.join());
      }),
      { numRuns: 150 },
    );
  });

  it('keep their invariants in every mode and cut at any length, and no token trains twice', () => {
    fc.assert(
      fc.property(session, options, fc.integer({ min: 1, max: 20 }), (captures, chosen, maxSampleTokens) => {
        checkRows(buildTrajectory(captures, chosen).rows, captures);
        const cut = buildTrajectory(captures, { ...chosen, maxSampleTokens });
        checkRows(cut.rows, captures);
        for (const row of cut.rows) {
          expect(row.token_ids.length).toBeLessThanOrEqual(maxSampleTokens);
          expect(row.loss_mask).toContain(1);
        }
      }),
      { numRuns: 200 },
    );
  });
});
