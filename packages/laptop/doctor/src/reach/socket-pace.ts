import { callWithin, pause } from '@art/ground';
import { defaultReachLimits } from '@art/protocol/reach';
import { news, type Seen } from '../finding.ts';
import type { ProbeSocket } from './probe-socket.ts';

const roundTrips = 20;
// Two seconds at the pace of the wire: a limit a second is met.
const fullMessages = 400;
const besideBytes = 22;
const withinMs = 60_000;

/** How long a small message takes to the agent and back, on an idle socket. @throws ArtError `ART_REACH_LOST` */
export async function roundTrip(socket: ProbeSocket): Promise<Seen> {
  const times: number[] = [];
  for (let index = 0; index < roundTrips; index += 1) {
    // What was sent just before would hold the next one up.
    await pause(2 * defaultReachLimits.messageIntervalMs);
    const { tookMs } = await callWithin(() => socket.ping(), { timeoutMs: withinMs });
    times.push(tookMs);
  }
  times.sort((a, b) => a - b);
  const [p50, most] = [times[roundTrips / 2]!, times.at(-1)!];
  return news(`p50 ${p50.toFixed(1)} ms, at most ${most.toFixed(1)} ms, of ${roundTrips}`);
}

/** Full messages as fast as the wire sends them, both ways at once. @throws ArtError `ART_REACH_LOST` */
export async function throughput(socket: ProbeSocket): Promise<Seen> {
  const startedMs = performance.now();
  const bytes = defaultReachLimits.messageBytes - besideBytes;
  const sent = Array.from({ length: fullMessages }, () => socket.ping(bytes));
  const pongs = await callWithin(() => Promise.all(sent), { timeoutMs: withinMs });
  const seconds = (performance.now() - startedMs) / 1_000;
  const megabytes = pongs.reduce((sum, pong) => sum + pong.bytes, 0) / 1e6;
  return news(
    `${fullMessages} messages of ${bytes} bytes in ${seconds.toFixed(1)} s: ${Math.round(fullMessages / seconds)} a second, ${(megabytes / seconds).toFixed(1)} MB/s each way at once`,
  );
}
