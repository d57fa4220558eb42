import { expect, it } from 'vitest';
import { boundedMeanInterval } from './bounded-mean.ts';
import { randomSource } from './random-source.ts';
import { claimEnds, SequentialClaim } from './sequential-claim.ts';

it.each([0.1, 0.5, 0.8])(
  'a bound of %s that is answered lies outside of the ends that are shown',
  (bound) => {
    const random = randomSource(7);
    const answers = new Set<string>();
    for (let run = 0; run < 200; run += 1) {
      const mean = random();
      const isBinary = run % 2 === 0;
      const claim = new SequentialClaim(bound, 300);
      const seen: number[] = [];
      let answer: ReturnType<SequentialClaim['add']>;
      while (answer === undefined && seen.length < 300) {
        const value = isBinary ? Number(random() < mean) : Math.min(1, mean * 2 * random());
        seen.push(value);
        answer = claim.add(value);
      }
      if (answer !== 'yes' && answer !== 'no') continue;
      answers.add(answer);
      const { low, high } = boundedMeanInterval(seen, claimEnds);
      if (answer === 'yes') expect(low).toBeGreaterThan(bound - 1e-9);
      else expect(high).toBeLessThan(bound + 1e-9);
    }
    expect(answers).toContain('yes');
    if (bound > 0.1) expect(answers).toContain('no');
  },
);
