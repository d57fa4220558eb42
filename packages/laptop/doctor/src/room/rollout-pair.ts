import { randomUUID } from 'node:crypto';
import { pause, isJsonObject } from '@art/ground';
import type { MockRequest } from '@art/mock-model';
import type { AskedAnswer } from './ask.ts';
import { plainAnswer } from './plain-answer.ts';
import { plainTurn, type RecordedRequest } from './recording-model.ts';
import type { Room } from './room.ts';

const modelDelayMs = 1_500;
/** A timer may end a little early. */
const timerSlackMs = 100;
/** A document is waited for while its agent is busy, and so long at least: not every agent says that it is busy. */
const leastWaitMs = 4_000;
const longestWaitMs = 60_000;
const idleWaitMs = 5_000;

/** A rollout, what was asked of it and what came. */
export interface RolloutSeen {
  sessionId: string;
  modelId: string;
  apiKey: string;
  resultKey: string;
  answer: AskedAnswer;
  /** Monotonic milliseconds. */
  answeredAtMs: number;
  /** True if the answer came only when its own model had replied. */
  hasWaited: boolean;
  /** The stored text; undefined where none came in time. */
  text: string | undefined;
  document: Record<string, unknown> | undefined;
  /** Requests to its own model in its name. */
  calls: RecordedRequest[];
}

export interface PairSeen {
  rollouts: [RolloutSeen, RolloutSeen];
  /** While both were at work. */
  busy: AskedAnswer;
  /** When both documents were there. */
  after: AskedAnswer;
  /** Number of requests to a model in the name of the other one's rollout. */
  strayCalls: number;
}

/** Two rollouts at the same time, each with a model endpoint, model name and key of its own. The models take 1.5 s. */
export function rolloutPair(room: Room): Promise<PairSeen> {
  return room.once('rollout pair', async () => {
    await plainAnswer(room).catch(() => undefined);
    const turn = { ...plainTurn, text: `${room.word}. ${plainTurn.text}`, delayMs: modelDelayMs };
    for (const model of room.models) model.turn = turn;
    const before = room.models.map(({ requests }) => requests.length);
    const running = [runRollout(room, 0), runRollout(room, 1)] as const;
    const [busy, ...rollouts] = await Promise.all([pingAtWork(room, running), ...running]);
    const asked = room.models.map(({ requests }, index) => requests.slice(before[index]));
    for (const [index, rollout] of rollouts.entries()) {
      rollout.calls = asked[index]!.filter((call) => !isOf(call, rollouts[1 - index]!));
      const repliedMs = rollout.calls.map(({ atMs }) => atMs + modelDelayMs - timerSlackMs);
      rollout.hasWaited = repliedMs.some((atMs) => atMs <= rollout.answeredAtMs);
    }
    const strayCalls = asked.flat().length - rollouts[0].calls.length - rollouts[1].calls.length;
    for (const model of room.models) model.turn = plainTurn;
    return { rollouts, busy, after: await whenIdle(room), strayCalls };
  });
}

/**
 * A ping once the models were asked twice. An agent that has asked none by then gets one after half of their delay, for what it does before may block
 * it; and where that answer tells of no work another one, for its work may not have begun.
 */
async function pingAtWork(room: Room, running: readonly Promise<RolloutSeen>[]): Promise<AskedAnswer> {
  const calls = (): number => room.models.reduce((sum, { requests }) => sum + requests.length, 0);
  const before = calls();
  let isOver = false;
  void Promise.allSettled(running).then(() => (isOver = true));
  const isDue = (): boolean => isOver || calls() - before >= running.length;
  for (const until = performance.now() + modelDelayMs / 2; !isDue() && performance.now() < until;)
    await pause(10);
  const wasDue = isDue();
  const first = await room.ping();
  if (wasDue || first.text.includes('HealthyBusy')) return first;
  while (!isDue()) await pause(10);
  const second = await room.ping();
  return { ...second, tookMs: Math.max(first.tookMs, second.tookMs) };
}

function isOf({ model, apiKey }: MockRequest, rollout: RolloutSeen): boolean {
  return model === rollout.modelId || apiKey === rollout.apiKey || apiKey === rollout.sessionId;
}

/** A rollout whose model refuses every call. */
export function refusedRollout(room: Room): Promise<RolloutSeen> {
  return room.once('refused rollout', async () => {
    await rolloutPair(room);
    // 400 is what clients do not try again.
    room.models[0].turn = { error: { status: 400, message: 'The doctor refuses.' } };
    const before = room.models[0].requests.length;
    const seen = await runRollout(room, 0);
    seen.calls = room.models[0].requests.slice(before);
    room.models[0].turn = plainTurn;
    return seen;
  });
}

async function runRollout(room: Room, index: 0 | 1): Promise<RolloutSeen> {
  return ended(room, await beginRollout(room, index));
}

async function beginRollout(room: Room, index: 0 | 1): Promise<RolloutSeen> {
  const sessionId = randomUUID();
  const modelId = `doctor-${index}-${sessionId.slice(0, 8)}`;
  const apiKey = `key-of-${sessionId}`;
  const answer = await room.invoke(
    {
      ...room.payload,
      _rollout: {
        exp_id: 'doctor',
        input_id: `input-${index}`,
        session_id: sessionId,
        s3_bucket: room.bucket.name,
        base_url: room.models[index].baseUrl,
        model_id: modelId,
        api_key: apiKey,
        sampling_params: { temperature: 0.375 },
      },
    },
    { sessionId },
  );
  return {
    sessionId,
    modelId,
    apiKey,
    resultKey: `doctor/input-${index}/${sessionId}.json`,
    answer,
    answeredAtMs: performance.now(),
    hasWaited: false,
    text: undefined,
    document: undefined,
    calls: [],
  };
}

async function ended(room: Room, rollout: RolloutSeen): Promise<RolloutSeen> {
  // What was not taken up will leave no document.
  const isTaken = rollout.answer.status >= 200 && rollout.answer.status < 300;
  rollout.text = await room.bucket.document(rollout.resultKey, isTaken ? leastWaitMs : 0);
  const until = performance.now() + longestWaitMs;
  for (let isBusy = isTaken; isBusy && rollout.text === undefined && performance.now() < until;) {
    isBusy = (await room.ping().catch(() => undefined))?.text.includes('HealthyBusy') === true;
    rollout.text = await room.bucket.document(rollout.resultKey, 500);
  }
  try {
    const value: unknown = JSON.parse(rollout.text ?? '');
    if (isJsonObject(value)) rollout.document = value;
  } catch {
    // The check of the document says so.
  }
  return rollout;
}

async function whenIdle(room: Room): Promise<AskedAnswer> {
  const until = performance.now() + idleWaitMs;
  for (;;) {
    const answer = await room.ping();
    if ((answer.json as { status?: unknown } | undefined)?.status === 'Healthy' || performance.now() > until)
      return answer;
    await pause(100);
  }
}
