import type { ClientResult, MemorySample } from './client-result.ts';

const sampleEveryMs = 1_000;

/**
 * Runs a client and measures the process that it has for itself.
 * @param run Calls `onItem` with the outcome of every rollout
 */
export async function measureProcess(
  run: (onItem: (outcome: string) => void) => Promise<void>,
): Promise<ClientResult> {
  const outcomes: Record<string, number> = {};
  const memory: MemorySample[] = [];
  const startRssBytes = process.memoryUsage.rss();
  let items = 0;
  const sampler = setInterval(
    () => memory.push({ items, rssBytes: process.memoryUsage.rss() }),
    sampleEveryMs,
  );
  const startCpu = process.cpuUsage();
  const startedMs = performance.now();
  try {
    await run((outcome) => {
      items += 1;
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    });
  } finally {
    clearInterval(sampler);
  }
  const { user, system } = process.cpuUsage(startCpu);
  return {
    outcomes,
    cpuMs: (user + system) / 1_000,
    wallMs: performance.now() - startedMs,
    startRssBytes,
    peakRssBytes: process.resourceUsage().maxRSS * 1_024,
    memory,
  };
}
