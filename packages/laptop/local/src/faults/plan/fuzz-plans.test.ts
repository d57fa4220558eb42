import assert from 'node:assert/strict';
import { ArtError } from '@art/ground';
import fc from 'fast-check';
import { it } from 'vitest';
import { checkFaultPlan } from './check-fault-plan.ts';

const planPiece: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom<unknown>(
      'invoke',
      's3_put',
      'kill',
      'error',
      'reset',
      'before',
      503,
      1,
      0,
      -1,
      0.5,
      null,
      Number.NaN,
      '__proto__',
      true,
    ),
    fc.anything({ maxDepth: 1 }),
    fc.array(tie('value'), { maxLength: 3 }),
    tie('record'),
  ),
  record: fc.dictionary(
    fc.constantFrom(
      'seed',
      'rules',
      'when',
      'fault',
      'operation',
      'kind',
      'status',
      'ms',
      'afterMs',
      'probability',
      'nth',
      'betweenMs',
      'moment',
      '__proto__',
    ),
    tie('value'),
  ),
})).value;

it('a plan of any shape is checked, and what was checked passes again, or is refused with its code', () => {
  const rule = fc.record(
    { when: fc.oneof(planPiece, fc.record({ operation: planPiece })), fault: planPiece, every: planPiece },
    { requiredKeys: [] },
  );
  const plan = fc.oneof(
    planPiece,
    fc.record({ seed: fc.integer(), rules: fc.array(fc.oneof(planPiece, rule)) }),
  );
  fc.assert(
    fc.property(plan, (asked) => {
      let checked: unknown;
      try {
        checked = checkFaultPlan(asked);
      } catch (error) {
        if (ArtError.isInstance(error) && error.code === 'ART_INVALID_OPTION') return;
        throw error;
      }
      assert.deepEqual(checkFaultPlan(checked), checked);
    }),
    { numRuns: 600, seed: 20_261 },
  );
});
