/**
 * Measures the delay that the sockets of sessions add to the tokens of streams: an agent in each session streams the
 * same call twice at the same time, straight from the gateway and through its socket. `--sessions`, `--tokens` of a
 * stream, `--pace` in milliseconds between two of them, `--hosts`: processes that serve the agents.
 */
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { quantile } from '../measure/quantile.ts';
import { measureReach } from './measure-reach.ts';

const { values } = parseArgs({
  options: {
    sessions: { type: 'string', default: '20' },
    tokens: { type: 'string', default: '400' },
    pace: { type: 'string', default: '50' },
    hosts: { type: 'string', default: '2' },
  },
});
const [sessions, chunks, paceMs] = [Number(values.sessions), Number(values.tokens), Number(values.pace)];
const model = { kind: 'stream', promptTokens: 2_000, chunks, paceMs } as const;
const load = (): string => loadavg()[0]!.toFixed(1);
console.log(
  `${sessions} sessions, each with two streams of ${chunks} tokens, one each ${paceMs} ms; load ${load()} before.`,
);
const measured = await measureReach({
  sessions,
  model,

  hosts: Number(values.hosts),
});
const { pairs, sockets, frames, openMs, allOpenMs, streamingMs, cpuMs } = measured;
for (const { direct, socket } of pairs) {
  if (direct.length !== chunks || socket.length !== chunks)
    throw new Error(`Expected ${chunks} tokens of each stream, got ${direct.length} and ${socket.length}.`);
}
tell(
  'a token straight',
  pairs.flatMap(({ direct }) => direct),
);
tell(
  'a token through the socket',
  pairs.flatMap(({ socket }) => socket),
);
tell(
  'the difference',
  pairs.flatMap(({ direct, socket }) => socket.map((age, at) => age - direct[at]!)),
);
tell('a socket, from the start of its session', openMs);
console.log(
  `${sockets.opened} sockets, all of them open after ${(allOpenMs / 1_000).toFixed(1)} s; ${sockets.dropped} dropped, ${sockets.open} left.`,
);
console.log(
  `At most ${sockets.mostFramesPerSecond} messages a second on one socket in one direction, the largest ${sockets.largestFrameBytes} bytes; ${frames} in all.`,
);
console.log(
  `${(streamingMs / 1_000).toFixed(1)} s of streams, load ${load()} after them. Of a core meanwhile:`,
);
for (const [name, ms] of Object.entries(cpuMs)) {
  const share = ((100 * ms) / streamingMs).toFixed(0);
  const each = ((1_000 * ms) / (sessions * chunks)).toFixed(0);
  console.log(`  ${name.padEnd(12)}${share.padStart(4)} %, ${each} µs for each token of a socket`);
}
if (sockets.dropped > 0) process.exitCode = 1;

function tell(what: string, ms: readonly number[]): void {
  const sorted = Float64Array.from(ms).toSorted();
  const at = (fraction: number): string => quantile(sorted, fraction)!.toFixed(1).padStart(8);
  console.log(`${what.padEnd(40)} p50 ${at(0.5)}  p99 ${at(0.99)}  most ${at(1)} ms`);
}
