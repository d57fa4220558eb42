import type { AgentCheck } from '../agent-check.ts';
import { must, type Seen } from '../finding.ts';
import { ask, type Question } from '../room/ask.ts';
import type { Room } from '../room/room.ts';

const json = { 'content-type': 'application/json' };
const why = 'A wrong request must be refused, and must not end the session for all others.';

/** A request that nobody can answer is refused, by a status of 4xx or 5xx. */
async function refused(room: Room, question: Question): Promise<Seen> {
  const { status, text } = await room.send({ headers: json, ...question, timeoutMs: 10_000 });
  return must(status >= 400, `status ${status}: ${text.slice(0, 120)}`);
}

/** Checks of what is no request. */
export const inputChecks: readonly AgentCheck[] = [
  {
    id: 'input.not-json',
    title: 'refuses a body that is no JSON',
    why,
    todo: 'Answer 400.',
    run: (room) => refused(room, { body: '{"prompt": "half' }),
  },
  {
    id: 'input.empty',
    title: 'refuses an empty body',
    why,
    todo: 'Answer 400.',
    run: (room) => refused(room, { body: '' }),
  },
  {
    id: 'input.not-an-object',
    title: 'refuses a list where an object belongs',
    why,
    todo: 'Check the payload with a schema before the handler runs.',
    run: (room) => refused(room, { body: '[1,2,3]' }),
  },
  {
    id: 'input.not-utf-8',
    title: 'refuses bytes that are no UTF-8',
    why: 'They would become other characters, and the model would answer another question.',
    todo: 'Decode the body with new TextDecoder("utf-8", { fatal: true }).',
    run: (room) => refused(room, { body: Buffer.from('{"prompt":"\xff\xfe"}', 'latin1') }),
  },
  {
    id: 'input.deep',
    title: 'answers a payload of 100,000 levels',
    why: 'A parser that calls itself ends the process here.',
    todo: 'Limit the depth of what is parsed.',
    run: async (room) => {
      const body = `{"prompt":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
      const { status } = await room.send({ headers: json, body, timeoutMs: 10_000 });
      return must(true, `status ${status}`);
    },
  },
  {
    id: 'input.unknown-path',
    title: 'answers 404 where there is nothing',
    why: 'A path that answers everything hides a wrong address.',
    todo: 'Serve /ping and /invocations, and 404 elsewhere.',
    run: async (room) => {
      const { status } = await ask(`${await room.url()}/art-doctor-nothing-here`);
      return must(status === 404, `status ${status}`);
    },
  },
  {
    id: 'input.get',
    title: 'does not take GET for /invocations',
    why,
    todo: 'Answer 404 or 405.',
    run: (room) => refused(room, { method: 'GET', headers: {} }),
  },
  {
    id: 'input.hang-up',
    title: 'continues when a caller hangs up',
    why: 'Callers give up. Others are waiting.',
    todo: 'Catch what a broken connection throws.',
    run: async (room) => {
      await room.invoke(room.payload, { timeoutMs: 30 }).catch(() => undefined);
      const { status } = await room.ping();
      return must(status === 200, `status ${status} of the next ping`);
    },
  },
  {
    id: 'input.survives',
    title: 'is healthy after all of this',
    why,
    todo: 'Read what the agent wrote when it ended.',
    run: async (room) => {
      const { status } = await room.ping();
      const lived = !room.hasProcess || (await room.agent()).exit() === undefined;
      return must(status === 200 && lived, `status ${status}`);
    },
  },
];
