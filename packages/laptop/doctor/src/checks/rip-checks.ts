import { randomUUID } from 'node:crypto';
import { pause, isJsonObject } from '@art/ground';
import { type AgentCheck, lookAt } from '../agent-check.ts';
import { followsFrom, must, warning } from '../finding.ts';
import type { AskedAnswer } from '../room/ask.ts';
import { plainTurn } from '../room/recording-model.ts';
import { rolloutPair } from '../room/rollout-pair.ts';
import { isUnaware } from './of-rollouts.ts';
import type { Room } from '../room/room.ts';

const modelDelayMs = 1_000;
const todo =
  'Serve the agent with AgentCoreRLApp of @art/agent; in Python with AgentCoreRuntimeApp of agentcore-rl-toolkit 0.2.0.';

interface RipSeen {
  /** In the background, and after it had ended. */
  begun: AskedAnswer;
  ended: AskedAnswer;
  /** The same start once more. */
  repeated: AskedAnswer;
  /** Calls of the model for all of that. */
  calls: number;
  /** In the foreground, under another id. */
  waited: AskedAnswer;
}

const stateOf = ({ json }: AskedAnswer): Record<string, unknown> => (isJsonObject(json) ? json : {});

function rip(
  room: Room,
  sessionId: string,
  envelope: Record<string, unknown>,
  index: 0 | 1 = 0,
): Promise<AskedAnswer> {
  const start = envelope['operation'] === 'start';
  const config = { base_url: room.models[index].baseUrl, model_id: 'doctor-rip', api_key: sessionId };
  return room.invoke(
    { ...(start && { ...room.payload, _config: config }), _agentcore_runtime: { version: 1, ...envelope } },
    { sessionId },
  );
}

/** One invocation from its start to a repeated one, and one that is waited for. */
function exchange(room: Room): Promise<RipSeen> {
  return room.once('rip', async () => {
    // Both use the models: one after the other.
    await rolloutPair(room).catch(() => undefined);
    const sessionId = randomUUID();
    const model = room.models[0];
    model.turn = { ...plainTurn, delayMs: modelDelayMs };
    const before = model.requests.length;
    const start = { operation: 'start', invocation_id: 'doctor-1', background: true };
    const begun = await rip(room, sessionId, start);
    const get = (): Promise<AskedAnswer> =>
      rip(room, sessionId, { operation: 'get', invocation_id: 'doctor-1' });
    let ended = await get();
    for (let waits = 0; waits < 100 && stateOf(ended)['status'] === 'in_progress'; waits += 1) {
      await pause(200);
      ended = await get();
    }
    model.turn = plainTurn;
    const repeated = await rip(room, sessionId, start);
    const calls = model.requests.length - before;
    const waited = await rip(room, sessionId, {
      operation: 'start',
      invocation_id: 'doctor-2',
      background: false,
    });
    return { begun, ended, repeated, calls, waited };
  });
}

const ofExchange = lookAt(exchange);

/** The Runtime Invocation Protocol, by which trainers of today ask. */
export const ripAgentChecks: readonly AgentCheck[] = [
  {
    id: 'rip.speaks',
    title: 'speaks the Runtime Invocation Protocol',
    why: 'Trainers of today ask in it: without a bucket, and with results that are asked for later.',
    todo,
    run: async (room) => {
      const { begun } = await exchange(room);
      const isState = stateOf(begun)['version'] === 1 && stateOf(begun)['invocation_id'] === 'doctor-1';
      const text = `status ${begun.status}: ${begun.text.slice(0, 200)}`;
      if (isState) return must(begun.status === 200, text);
      return (await isUnaware(room)) ? followsFrom('rollout.processing') : warning(text);
    },
  },
  {
    id: 'rip.background',
    title: 'answers a start in the background at once',
    why: 'The trainer has thousands of them.',
    todo,
    after: 'rip.speaks',
    run: ofExchange(({ begun }) =>
      must(
        stateOf(begun)['status'] === 'in_progress',
        `${String(stateOf(begun)['status'])} after ${begun.tookMs.toFixed(0)} ms`,
      ),
    ),
  },
  {
    id: 'rip.completes',
    title: 'gives the result when it is asked for',
    why: 'It is the only way in which this result comes back.',
    todo,
    after: 'rip.speaks',
    run: ofExchange(({ ended }) => must(stateOf(ended)['status'] === 'completed', ended.text.slice(0, 200))),
  },
  {
    id: 'rip.result',
    title: 'has a result in it, and no error',
    why: 'The payload of the doctor may not fit the agent.',
    todo: 'Give a payload that the agent understands with --payload.',
    after: 'rip.completes',
    run: async (room) => {
      const { ended } = await exchange(room);
      const { rollouts } = await rolloutPair(room);
      const { error } = stateOf(ended);
      const isSame =
        error !== undefined &&
        rollouts.some(({ document }) => [document?.['stop_reason'], document?.['message']].includes(error));
      return isSame
        ? followsFrom('rollout.status-code')
        : must('result' in stateOf(ended), ended.text.slice(0, 200));
    },
  },
  {
    id: 'rip.once',
    title: 'runs an invocation once, however often it is started',
    why: 'A trainer starts it again when an answer was lost. Two runs would cost twice, and could differ.',
    todo,
    after: 'rip.completes',
    run: ofExchange(({ ended, repeated, calls }) =>
      must(
        repeated.text === ended.text,
        `${calls} calls of the model; the second start was answered ${repeated.text.slice(0, 120)}`,
      ),
    ),
  },
  {
    id: 'rip.foreground',
    title: 'waits where the result is wanted at once',
    why: 'Short rollouts need one call instead of two.',
    todo,
    after: 'rip.speaks',
    run: ofExchange(({ waited }) =>
      must(stateOf(waited)['status'] === 'completed', waited.text.slice(0, 200)),
    ),
  },
  {
    id: 'rip.not-found',
    title: 'says "not_found" of an invocation that it does not know',
    why: 'The client then knows that the session was replaced by another one.',
    todo,
    after: 'rip.speaks',
    run: async (room) => {
      const answer = await rip(room, randomUUID(), { operation: 'get', invocation_id: 'doctor-none' });
      return must(stateOf(answer)['status'] === 'not_found', answer.text.slice(0, 200));
    },
  },
  {
    id: 'rip.sessions-apart',
    title: 'keeps the invocations of sessions apart',
    why: 'Ids are chosen by trainers: two sessions may use the same one.',
    todo,
    after: 'rip.completes',
    run: async (room) => {
      await exchange(room);
      const answer = await rip(room, randomUUID(), { operation: 'get', invocation_id: 'doctor-1' });
      return must(stateOf(answer)['status'] === 'not_found', answer.text.slice(0, 200));
    },
  },
  {
    id: 'rip.version',
    title: 'refuses a version that it does not know',
    why: 'A newer trainer must see that this agent is older.',
    todo,
    after: 'rip.speaks',
    run: async (room) => {
      const answer = await rip(room, randomUUID(), {
        version: 99,
        operation: 'get',
        invocation_id: 'doctor-1',
      });
      return must(answer.status >= 400, `status ${answer.status}: ${answer.text.slice(0, 120)}`);
    },
  },
];
