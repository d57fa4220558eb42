import { defaultReachLimits } from '@art/protocol/reach';
import { callWithin } from '@art/ground';
import { fault, news, type Seen, warning } from '../finding.ts';
import type { ProbedSession } from './probed-session.ts';

// From the smallest that the wire can do with to what AWS documents. Users met 32,768.
const steps = [20_480, defaultReachLimits.messageBytes, 32_768, 49_152, 65_536];
const answerWithinMs = 20_000;
// A record's header, and room for the acknowledgement that goes with it.
const besideBytes = 22;

/** Sends larger and larger messages there and back, each on its own socket, until one does not come back. */
export async function frameLimit(session: ProbedSession): Promise<Seen> {
  let largest = 0;
  for (const messageBytes of steps) {
    const socket = await session.dial({ messageBytes });
    try {
      const carried = messageBytes - besideBytes;
      const pong = await callWithin(() => socket.ping(carried), { timeoutMs: answerWithinMs });
      if (pong.bytes < carried)
        return warning(
          `${shown(messageBytes)} reached the agent, which answered with ${shown(pong.bytes)}: its toolkit is another version, and the way back was not observed`,
        );
      largest = messageBytes;
    } catch (error) {
      return await whatIsLeft(session, largest, messageBytes, (error as Error).message);
    } finally {
      socket.close();
    }
  }
  return news(
    `messages of up to ${shown(largest)} are carried both ways, which is what AWS documents; nothing larger was tried`,
  );
}

async function whatIsLeft(
  session: ProbedSession,
  largest: number,
  broken: number,
  why: string,
): Promise<Seen> {
  // The session must have outlived it: rollouts dial again.
  const socket = await session.dial();
  socket.close();
  const carried = largest === 0 ? '' : `messages of up to ${shown(largest)} are carried both ways; `;
  const seen = `${carried}one of ${shown(broken)} is not: ${why} A new socket opens after it`;
  return largest >= defaultReachLimits.messageBytes ? news(seen) : fault(seen);
}

function shown(bytes: number): string {
  return `${bytes.toLocaleString('en')} bytes`;
}
