import { expect, it } from 'vitest';
import { LocalGrants } from './local-grants.ts';

it('keeps its distance after a grant that came late', async () => {
  const grants = new LocalGrants(40.8);
  await grants.next();
  const late = grants.next();
  // Half-way to the grant the process is held up until long after it is due.
  setTimeout(() => {
    const blockedUntilMs = performance.now() + 50;
    while (performance.now() < blockedUntilMs);
  }, 20);
  await late;
  const times = [performance.now()];
  for (let count = 0; count < 3; count += 1) {
    await grants.next();
    times.push(performance.now());
  }
  grants.close();
  const gaps = times.slice(1).map((timeMs, index) => timeMs - times[index]!);
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(39);
});
