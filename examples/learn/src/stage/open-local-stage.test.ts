import { expect, it } from 'vitest';
import { guardsOf } from './open-local-stage.ts';

it.each([1, 80])('a run of %i steps ends for no rewards that are all alike', (steps) => {
  expect(guardsOf('exact', steps).maxStepsWithoutSpread).toBeGreaterThan(steps);
});

it('only the controls may differ from what was sampled', () => {
  expect(guardsOf('exact', 1).maxLogprobGap).toBeUndefined();
  expect(guardsOf('shift-logprobs', 1).maxLogprobGap).toBeGreaterThan(1);
});
