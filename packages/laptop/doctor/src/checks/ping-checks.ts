import { pause, isJsonObject } from '@art/ground';
import { type AgentCheck, lookAt } from '../agent-check.ts';
import { must, type Seen, skipped, warning } from '../finding.ts';
import type { Room } from '../room/room.ts';

const todoTime =
  'Answer with "time_of_last_update" in whole seconds since 1970, and set it only when the status changes. AgentCoreRLApp does so.';

/** Answer to a ping, as a text for people. */
async function pinged(room: Room): Promise<{ status: unknown; time: unknown; text: string }> {
  const { json, text } = await room.ping();
  const { status, time_of_last_update: time } = isJsonObject(json) ? json : {};
  return { status, time, text: text.slice(0, 200) };
}

const ofPing = lookAt((room) => room.ping());
const ofWords = lookAt(pinged);

/** `GET /ping`. AWS: runtime-http-protocol-contract; what the time means was measured on the live service. */
export const pingChecks: readonly AgentCheck[] = [
  {
    id: 'ping.answers',
    title: 'answers GET /ping with 200',
    why: 'AgentCore takes an agent that does not answer pings for dead and ends the session.',
    todo: 'Serve GET /ping on the same port as POST /invocations.',
    run: ofPing(({ status, tookMs }) =>
      must(status === 200, `status ${status} after ${tookMs.toFixed(0)} ms`),
    ),
  },
  {
    id: 'ping.fast',
    title: 'answers a ping within a second while idle',
    why: 'A slow ping is a session that looks dead.',
    todo: 'Keep work out of the ping handler; it must not ask other services.',
    after: 'ping.answers',
    run: async (room) => {
      let tookMs = Number.POSITIVE_INFINITY;
      // One slow answer may be the doing of a busy machine.
      for (let pings = 0; pings < 3 && tookMs >= 1_000; pings += 1) ({ tookMs } = await room.ping());
      return must(tookMs < 1_000, `${tookMs.toFixed(0)} ms`);
    },
  },
  {
    id: 'ping.many',
    title: 'answers 50 pings at once',
    why: 'Several parts of the platform may ask.',
    todo: 'Keep work out of the ping handler.',
    after: 'ping.answers',
    run: async (room) => {
      const answers = await Promise.all(Array.from({ length: 50 }, () => room.ping()));
      const good = answers.filter(({ status }) => status === 200).length;
      return must(good === 50, `${good} of 50 answered with 200`);
    },
  },
  {
    id: 'ping.json',
    title: 'answers a ping with a JSON object',
    why: 'AgentCore reads the status from it.',
    todo: 'Answer {"status":"Healthy","time_of_last_update":1767225600}.',
    after: 'ping.answers',
    run: ofPing(({ json, text }) => must(isJsonObject(json), text.slice(0, 200) || 'an empty body')),
  },
  {
    id: 'ping.content-type',
    title: 'says that its answer to a ping is JSON',
    why: 'The contract asks for application/json.',
    todo: 'Set the header content-type: application/json.',
    after: 'ping.answers',
    run: ofPing(({ headers }) => {
      const type = headers['content-type'];
      return must(/^application\/json\b/.test(type ?? ''), `content-type ${type ?? 'not set'}`);
    }),
  },
  {
    id: 'ping.status',
    title: 'says "Healthy" or "HealthyBusy"',
    why: 'Other words do not keep a busy session alive.',
    todo: 'Use these two words, spelled so.',
    after: 'ping.json',
    run: ofWords(({ status, text }) => must(status === 'Healthy' || status === 'HealthyBusy', text)),
  },
  {
    id: 'ping.idle',
    title: 'says "Healthy" while nothing runs',
    why: 'A session that is always busy is never ended by its idle time, and costs money for hours.',
    todo: 'Say "HealthyBusy" only while work runs in the background.',
    after: 'ping.status',
    run: ofWords(({ status }) => must(status === 'Healthy', String(status))),
  },
  {
    id: 'ping.time',
    title: 'says since when it is so',
    why: 'Without "time_of_last_update" busy sessions were ended by their idle time on the live service.',
    todo: todoTime,
    after: 'ping.json',
    run: ofWords(({ time, text }) => must(time !== undefined, text)),
  },
  {
    id: 'ping.time-is-whole',
    title: 'says it as a whole number',
    why: 'A date as text is not understood: the session is ended while it works.',
    todo: todoTime,
    after: 'ping.time',
    run: ofWords(({ time }) => must(Number.isInteger(time), `time_of_last_update ${JSON.stringify(time)}`)),
  },
  {
    id: 'ping.time-in-seconds',
    title: 'says it in seconds since 1970',
    why: 'Milliseconds are a time in a far future.',
    todo: todoTime,
    after: 'ping.time-is-whole',
    run: ofWords(({ time }) => {
      const offByMs = Math.abs(Number(time) * 1_000 - Date.now());
      return must(offByMs < 365 * 86_400_000, `time_of_last_update ${String(time)}`);
    }),
  },
  {
    id: 'ping.time-stays',
    title: 'does not change the time while the status stays',
    why: 'A session whose time is always now is never idle: it lives for 8 hours.',
    todo: todoTime,
    after: 'ping.time-in-seconds',
    run: async (room): Promise<Seen> => {
      const first = await pinged(room);
      await pause(2_100);
      const second = await pinged(room);
      if (first.status !== second.status) return skipped('The status changed meanwhile.');
      return must(
        first.time === second.time,
        `${String(first.time)}, and ${String(second.time)} 2.1 s later`,
      );
    },
  },
  {
    id: 'ping.small',
    title: 'answers a ping with few bytes',
    why: 'It is asked every two seconds.',
    todo: 'Leave everything but status and time out.',
    after: 'ping.answers',
    run: ofPing(({ text }) =>
      text.length < 1_000 ? must(true, `${text.length} bytes`) : warning(`${text.length} bytes`),
    ),
  },
];
