import { randomUUID } from 'node:crypto';
import { pause } from '@art/ground';
import { acceptedAnswers, runtimeHeaders } from '@art/protocol';
import { type AgentCheck, lookAt } from '../agent-check.ts';
import { must, ok, type Seen, skipped } from '../finding.ts';
import { isGood, lacksModel, plainAnswer, shown } from '../room/plain-answer.ts';
import type { Room } from '../room/room.ts';

const json = { 'content-type': 'application/json', accept: acceptedAnswers };

const ofAnswer = lookAt(plainAnswer);

/** The answer to a user, or why there is none: an agent is not to blame for a model that the doctor has no key for. */
const answersUsers: AgentCheck['run'] = async (room) => {
  const answer = await plainAnswer(room);
  if (isGood(answer)) {
    const isPlayed = room.users.requests.length > 0;
    return ok(
      `status ${answer.status}${isPlayed ? ', with a model that the doctor plays, as there is no key for yours' : ''}`,
    );
  }
  if (lacksModel(answer, room.lastLines()))
    return skipped(
      `The doctor has no key for the model of your users, and gives an agent no credentials of AWS. ${shown(answer)}`,
    );
  const isUnreached = unreached.test(`${answer.text}\n${room.lastLines()}`);
  return must(false, isUnreached ? `${shown(answer)}\n${todoUnreached}` : shown(answer));
};

// What Node and clients such as those of MCP say of a server that is down.
const unreached =
  /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ETIMEDOUT|UND_ERR_CONNECT|fetch failed|does not answer|could not be reached/;
const todoUnreached =
  'Something that the agent needs could not be reached: start it. Where the agent throws InfrastructureError then, such a rollout is tried again, and is no bad answer ("Adapt: your project", adapt-projects.md).';

const inSession = (): Record<string, string> => ({
  [runtimeHeaders.sessionId]: `art-doctor-${randomUUID()}`,
});

/** How a request went that differs from the plain one in its headers. */
async function sentWith(room: Room, headers: Record<string, string>): Promise<Seen> {
  const answer = await room.send({ headers, body: JSON.stringify(room.payload) });
  return must(isGood(answer), shown(answer));
}

/** A request with so many bytes more than it needs. */
async function padded(room: Room, bytes: number): Promise<Seen> {
  const answer = await room.invoke(
    { ...room.payload, art_doctor_padding: 'x'.repeat(bytes) },
    { timeoutMs: 60_000 },
  );
  if (isGood(answer)) return ok(`status ${answer.status} after ${answer.tookMs.toFixed(0)} ms`);
  // A strict schema may refuse a member that it does not know; its size was no hindrance.
  return answer.status === 400 || answer.status === 422
    ? skipped(`The agent refuses a payload with a further member: ${shown(answer)}`)
    : must(false, shown(answer));
}

/** Ordinary requests, as users send them. */
export const productionChecks: readonly AgentCheck[] = [
  {
    id: 'production.answers',
    title: 'answers a request of a user',
    why: 'The agent you train is the agent you deploy: the same handler must answer users.',
    todo: 'Give a payload that the agent understands with --payload. Handle requests that have no "_rollout".',
    run: answersUsers,
  },
  {
    id: 'production.readable',
    title: 'answers with JSON or with Server-Sent Events',
    why: 'Clients of AgentCore read these two.',
    todo: 'Return an object from the handler, or a generator.',
    after: 'production.answers',
    run: ofAnswer((answer) => {
      const isStream = /^text\/event-stream\b/.test(answer.headers['content-type'] ?? '');
      return must(isStream || answer.json !== undefined, shown(answer));
    }),
  },
  {
    id: 'production.content-type',
    title: 'says what kind its answer is',
    why: 'AgentCore passes the header on to the caller.',
    todo: 'Set content-type to application/json or text/event-stream.',
    after: 'production.answers',
    run: ofAnswer(({ headers }) => {
      const type = headers['content-type'];
      return must(type !== undefined, `content-type ${type ?? 'not set'}`);
    }),
  },
  {
    id: 'production.no-content-type',
    title: 'takes a body without a content type',
    why: 'boto3 sends none, and AgentCore adds none.',
    todo: 'Read every body as JSON, whatever its content type.',
    after: 'production.answers',
    run: (room) => sentWith(room, inSession()),
  },
  {
    id: 'production.octet-stream',
    title: 'takes a body of the type application/octet-stream',
    why: "It is what AWS's SDK for JavaScript sends by default.",
    todo: 'Read every body as JSON, whatever its content type.',
    after: 'production.no-content-type',
    run: (room) => sentWith(room, { ...inSession(), 'content-type': 'application/octet-stream' }),
  },
  {
    id: 'production.accept-stream',
    title: 'answers a caller that accepts only a stream',
    why: 'The agentcore command asks so when it tries an agent.',
    todo: 'Answer with JSON where there is nothing to stream. Do not answer 406.',
    after: 'production.answers',
    run: (room) => sentWith(room, { ...inSession(), ...json, accept: 'text/event-stream' }),
  },
  {
    id: 'production.no-session',
    title: 'answers a request without a session header',
    why: 'Tools that try an agent on a laptop leave it out.',
    todo: 'Take a fresh id where the header is not there.',
    after: 'production.answers',
    run: (room) => sentWith(room, json),
  },
  {
    id: 'production.unknown-headers',
    title: 'does not mind headers that it does not know',
    why: 'AgentCore passes trace headers on.',
    todo: 'Ignore them.',
    after: 'production.answers',
    run: (room) =>
      sentWith(room, {
        ...inSession(),
        ...json,
        traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
        baggage: 'a=b',
      }),
  },
  {
    id: 'production.host',
    title: 'answers whatever the host header says',
    why: 'AgentCore calls it by an internal name.',
    todo: 'Do not check the host.',
    after: 'production.answers',
    run: (room) => sentWith(room, { ...inSession(), ...json, host: 'cell01.us-west-2.prod.arp.internal' }),
  },
  {
    id: 'production.again',
    title: 'answers a second request in the same session',
    why: 'A session may be asked several times.',
    todo: 'Do not end, and do not keep what only one request may use.',
    after: 'production.answers',
    run: async (room) => {
      const sessionId = 'art-doctor-session-that-is-asked-twice';
      await room.invoke(room.payload, { sessionId });
      const answer = await room.invoke(room.payload, { sessionId });
      return must(isGood(answer), shown(answer));
    },
  },
  {
    id: 'production.at-once',
    title: 'answers five requests at once',
    why: '"HealthyBusy" keeps no further request away.',
    todo: 'Keep the state of a request in its handler.',
    after: 'production.answers',
    run: async (room) => {
      const answers = await Promise.all(Array.from({ length: 5 }, () => room.invoke(room.payload)));
      const good = answers.filter(isGood).length;
      return must(good === 5, `${good} of 5 were answered well`);
    },
  },
  {
    id: 'production.ping-meanwhile',
    title: 'answers a ping within 2 s while it works for a user',
    why: 'A handler that blocks the process makes its session look dead.',
    todo: 'Await what takes long. execSync in a tool is the usual reason.',
    after: 'production.answers',
    run: async (room) => {
      const work = room.invoke(room.payload).catch(() => undefined);
      await pause(20);
      const { tookMs } = await room.ping();
      await work;
      return must(tookMs < 2_000, `${tookMs.toFixed(0)} ms`);
    },
  },
  {
    id: 'production.body-2-mb',
    title: 'takes a body of 2 MB',
    why: "The default of Fastify and of AWS's own server is 1 MB; conversations with documents are longer.",
    todo: 'Raise the limit of the body to 100,000,000 bytes, which is what AgentCore passes on.',
    after: 'production.answers',
    run: (room) => padded(room, 2_000_000),
  },
  {
    id: 'production.body-20-mb',
    title: 'takes a body of 20 MB',
    why: 'AgentCore passes 100 MB on.',
    todo: 'Raise the limit of the body to 100,000,000 bytes.',
    after: 'production.body-2-mb',
    run: (room) => padded(room, 20_000_000),
  },
];
