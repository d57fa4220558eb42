import { setTimeout as delay } from 'node:timers/promises';
import { runtimeHeaders } from '@art/protocol';
import { Pool } from 'undici';
import { quantile } from '../measure/quantile.ts';

export interface AgentLoad {
  endpoint: string;
  connections: number;
  requests: number;
}

export interface AgentLoadResult {
  acceptsPerSecond: number;
  /** From request to answer, in milliseconds. */
  acceptLatency: { p50: number; p99: number; max: number };
  /** `/ping` meanwhile, asked every 50 ms. */
  pingLatency: { p50: number; p99: number; max: number; count: number };
  accepted: number;
  stored: number;
  peakRssBytes: number;
}

const pingEveryMs = 50;
const storedWithinMs = 60_000;

/** Sends rollouts over so many connections, one at a time on each, then waits until all results are stored. */
export async function loadAgent({ endpoint, connections, requests }: AgentLoad): Promise<AgentLoadResult> {
  const pool = new Pool(endpoint, { connections, pipelining: 1 });
  // A connection of its own, as the platform has: a ping does not queue behind rollouts.
  const pinger = new Pool(endpoint, { connections: 1 });
  try {
    const latencies: number[] = [];
    const pings: number[] = [];
    let next = 0;
    let accepted = 0;
    const startedMs = performance.now();
    const worker = async (): Promise<void> => {
      while (next < requests) {
        const n = next++;
        const sentMs = performance.now();
        const ok = await submit(pool, n);
        latencies.push(performance.now() - sentMs);
        if (ok) accepted += 1;
      }
    };
    const stopPinging = new AbortController();
    const pinging = ping(pinger, pings, stopPinging.signal);
    await Promise.all(Array.from({ length: connections }, worker));
    const seconds = (performance.now() - startedMs) / 1_000;
    stopPinging.abort();
    await pinging;
    return {
      acceptsPerSecond: accepted / seconds,
      acceptLatency: summary(latencies),
      pingLatency: { ...summary(pings), count: pings.length },
      accepted,
      ...(await untilStored(pinger, accepted)),
    };
  } finally {
    await Promise.all([pool.close(), pinger.close()]);
  }
}

async function submit(pool: Pool, n: number): Promise<boolean> {
  const { statusCode, body } = await pool.request({
    method: 'POST',
    path: '/invocations',
    headers: {
      'content-type': 'application/json',
      [runtimeHeaders.sessionId]: `session-${String(n).padStart(32, '0')}`,
    },
    body: JSON.stringify({ n, _rollout: { exp_id: 'bench', input_id: `input-${n}`, s3_bucket: 'results' } }),
  });
  const reply = (await body.json()) as { status?: string };
  return statusCode === 200 && reply.status === 'processing';
}

async function ping(pool: Pool, latencies: number[], signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const sentMs = performance.now();
    const { body } = await pool.request({ method: 'GET', path: '/ping' });
    await body.dump();
    latencies.push(performance.now() - sentMs);
    await delay(pingEveryMs);
  }
}

async function untilStored(pool: Pool, accepted: number): Promise<{ stored: number; peakRssBytes: number }> {
  const deadlineMs = performance.now() + storedWithinMs;
  for (;;) {
    const { body } = await pool.request({ method: 'GET', path: '/_bench/stored' });
    const state = (await body.json()) as { stored: number; peakRssBytes: number };
    if (state.stored >= accepted || performance.now() > deadlineMs) return state;
    await delay(pingEveryMs);
  }
}

function summary(latencies: readonly number[]): { p50: number; p99: number; max: number } {
  const sorted = Float64Array.from(latencies).toSorted();
  return { p50: quantile(sorted, 0.5) ?? 0, p99: quantile(sorted, 0.99) ?? 0, max: sorted.at(-1) ?? 0 };
}
