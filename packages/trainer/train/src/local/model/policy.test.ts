import { expect, it } from 'vitest';
import { tinyShape } from '../tiny-policy.fixture.ts';
import { newWeights } from './policy-weights.ts';
import { Policy, SequenceMemory } from './policy.ts';

it('gives a token the same hidden state to the last bit, read alone, in one piece or beside others', () => {
  const policy = new Policy(tinyShape, newWeights(tinyShape, { seed: 4 }));
  const ids = Array.from({ length: 37 }, (_, at) => (at * 5) % tinyShape.vocabularySize);
  const whole = policy.read(ids, [{ start: 0, length: 37, position: 0 }]);
  const memory = new SequenceMemory();
  const alone = ids.flatMap((id, position) => [
    ...policy.read([id], [{ start: 0, length: 1, position }], { memories: [memory] }).data,
  ]);
  expect(alone).toEqual([...whole.data]);
  const beside = policy.read(
    [...ids.slice(3), ...ids],
    [
      { start: 0, length: 34, position: 0 },
      { start: 34, length: 37, position: 0 },
    ],
  );
  expect([...beside.data.subarray(34 * whole.columns)]).toEqual([...whole.data]);
});
