import { expect, it } from 'vitest';
import { processUsage } from './process-usage.ts';

it('reads the CPU time and the memory of a process', () => {
  const before = processUsage(process.pid);
  const own = process.cpuUsage();
  const spent = (): number => {
    const { user, system } = process.cpuUsage(own);
    return (user + system) / 1_000;
  };
  while (spent() < 100);
  const after = processUsage(process.pid);
  // The system counts in ticks of 10 ms; other threads of the process continue meanwhile.
  expect(after.cpuMs - before.cpuMs).toBeGreaterThanOrEqual(80);
  expect(after.cpuMs - before.cpuMs).toBeLessThan(spent() + 100);
  const rss = process.memoryUsage.rss();
  expect(after.rssBytes).toBeGreaterThan(rss / 2);
  expect(after.rssBytes).toBeLessThan(rss * 2);
});
