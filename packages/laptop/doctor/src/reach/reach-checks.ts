import { callWithin, pause } from '@art/ground';
import { runtimeHeaders } from '@art/protocol';
import { fault, news, type Seen, warning } from '../finding.ts';
import type { DependentCheck } from '../run-checks.ts';
import { frameLimit } from './frame-limit.ts';
import type { ProbedSession } from './probed-session.ts';
import type { ReachRoom } from './reach-room.ts';
import { roundTrip, throughput } from './socket-pace.ts';

const callWithinMs = 60_000;
const endWithinMs = 60_000;
const questionEveryMs = 1_000;

/**
 * Checks of what nobody has confirmed of the sockets of AgentCore's sessions, looked at in sessions of the check's own. Each finding says
 * what was seen, and what was not.
 * @param holdMs how long a call is kept waiting
 */
export function reachChecks(
  room: ReachRoom,
  holdMs: number,
  signal: AbortSignal | undefined,
): DependentCheck[] {
  return [
    {
      id: 'reach.open',
      title: 'takes a socket into its own session',
      why: 'Through it the agent calls a gateway that has no address.',
      todo: 'Allow bedrock-agentcore:InvokeAgentRuntimeWithWebSocketStream on the ARN, and let the agent have the server of this toolkit, of the same version.',
      after: 'client.runtime',
      run: async () => {
        const startedMs = performance.now();
        const session = await room.open();
        const dialledMs = performance.now();
        const socket = await withoutCall(session, session.dial());
        room.held = { session, socket };
        const openMs = performance.now() - dialledMs;
        return news(
          `the session started in ${seconds(dialledMs - startedMs)}, and the socket opened in ${seconds(openMs)}`,
        );
      },
    },
    {
      id: 'reach.call',
      title: 'sends its model calls through the socket',
      why: 'A call that goes elsewhere is neither answered nor captured.',
      todo: 'Take the base_url of the rollout for every model call: "art doctor agent.ts" says more.',
      after: 'reach.open',
      run: async () => {
        const { session, socket } = room.held!;
        const ended = socket.ended.then((error) => Promise.reject(error));
        const first = callWithin(() => Promise.race([session.firstCall, ended]), {
          timeoutMs: callWithinMs,
          timeoutError: () => new Error(`No call came within ${seconds(callWithinMs)}.`),
        });
        const { head } = await withoutCall(session, first);
        return news(`${head.method} ${head.path.slice(session.path.length)}, ${head.bodyBytes} bytes`);
      },
    },
    {
      id: 'reach.round-trip',
      title: 'answers through the socket soon',
      why: 'Each model call takes so much longer than without the socket.',
      todo: 'Run the trainer near the region of the agent.',
      after: 'reach.call',
      run: () => roundTrip(room.held!.socket),
    },
    {
      id: 'reach.throughput',
      title: 'carries full messages at the pace of the wire',
      why: 'Prompts and answers of all calls of a session share the socket.',
      todo: 'Let the client send less: reachLimits: { messageIntervalMs: 10 }.',
      after: 'reach.call',
      run: () => throughput(room.held!.socket),
    },
    {
      id: 'reach.frames',
      title: 'carries messages of the size that the wire sends',
      why: 'AWS documents 64 KB, users met 32 KB, and one that is too large drops the socket.',
      todo: 'Let the client send smaller ones: reachLimits: { messageBytes: 20480 }.',
      after: 'reach.call',
      run: async () => {
        const session = await room.open();
        try {
          return await frameLimit(session);
        } finally {
          await session.stop();
        }
      },
    },
    {
      id: 'reach.query',
      title: 'does not see the id of its session in the query of the socket',
      why: 'A caller who cannot set headers puts it there. The wire sends it in its first message and relies on neither.',
      todo: 'Nothing. Report what was seen: it is documented nowhere.',
      after: 'reach.call',
      run: () => whatCame(room),
    },
    {
      id: 'reach.hold',
      title: 'keeps a socket open on which nothing but pings are sent',
      why: 'A model that thinks for minutes sends nothing, and a socket that is closed meanwhile breaks its call off.',
      todo: 'Raise nothing: sockets are opened again, and calls that were cut are tried again by the client of the agent. Report what was seen.',
      after: 'reach.call',
      run: () => hold(room, holdMs, signal),
    },
    {
      id: 'reach.answer',
      title: 'gets its answer, ends its rollout, and tells the result after its socket has gone',
      why: 'The result of a rollout without a bucket is asked of its session.',
      todo: 'Look into the log of the session, whose id is in the finding.',
      after: 'reach.call',
      run: () => answer(room, signal),
    },
    reachStopCheck(room),
  ];
}

/** A rollout that ends before it has called its model closes its socket, or was over before the socket came. */
async function withoutCall<T>(session: ProbedSession, pending: Promise<T>): Promise<T> {
  return pending.catch(async (error: unknown) => {
    const state = await session.state().catch(() => undefined);
    if (state?.status !== 'completed') throw error;
    throw new Error(
      `${(error as Error).message} The rollout had ended: does the agent call its model at the base_url of the rollout?`,
    );
  });
}

/** Also the last word of a check that was interrupted. */
export function reachStopCheck(room: ReachRoom): DependentCheck {
  return {
    id: 'reach.stop',
    title: 'has its sessions stopped',
    why: 'A session costs money until it is stopped, or has been idle.',
    todo: 'Stop them: "aws bedrock-agentcore stop-runtime-session --agent-runtime-arn ARN --runtime-session-id ID".',
    run: () => room.stop(),
  };
}

const sessionIdName = runtimeHeaders.sessionId;

async function whatCame(room: ReachRoom): Promise<Seen> {
  const { session } = room.held!;
  const socket = await session.dial({ query: { [sessionIdName]: session.id } });
  room.held = { session, socket };
  const { queryNames } = await socket.welcome;
  if (queryNames === undefined) return warning('the agent does not say: its toolkit is another version');
  const names = queryNames.length === 0 ? 'no query' : `a query with ${queryNames.join(', ')}`;
  const isSeen = queryNames.some((name) => name.toLowerCase() === sessionIdName);
  return isSeen ? warning(`the agent got ${names}`) : news(`the agent got ${names}`);
}

const notObserved =
  'Not observed: whether a socket keeps a session that is not busy, since the agent closes its socket with the rollout; what comes after the time that was held.';

async function hold(room: ReachRoom, holdMs: number, signal: AbortSignal | undefined): Promise<Seen> {
  const { session, socket } = room.held!;
  const startedMs = performance.now();
  const ended = await Promise.race([pause(holdMs, { signal }), socket.ended]);
  const held = seconds(performance.now() - startedMs);
  if (ended === undefined) {
    await socket.ping();
    const calls = session.calls === 0 ? 'the agent has given its call up' : 'the call still waits';
    return news(`open for ${held}, with pings alone, and ${calls}. ${notObserved}`);
  }
  const state = await session.state();
  room.held = { session, socket: await session.dial() };
  return state?.status === 'in_progress'
    ? warning(`it ended after ${held}: ${ended.message} Another one opens. ${notObserved}`)
    : warning(`the agent ended its rollout after ${held}, and the socket with it. ${notObserved}`);
}

async function answer(room: ReachRoom, signal: AbortSignal | undefined): Promise<Seen> {
  const { session, socket } = room.held!;
  session.answerFrom(await room.modelUrl());
  await callWithin(() => socket.ended, { signal, timeoutMs: endWithinMs });
  for (;;) {
    const state = await session.state();
    if (state?.status === 'in_progress') await pause(questionEveryMs, { signal });
    else if (state?.status !== 'completed')
      return fault(`session ${session.id} says ${state?.status ?? 'nothing'}`);
    else
      return state.error === undefined
        ? news('it answered with its result')
        : warning(`session ${session.id} answered with an error: ${state.error}`);
  }
}

function seconds(ms: number): string {
  return ms < 10_000 ? `${(ms / 1_000).toFixed(1)} s` : `${Math.round(ms / 1_000)} s`;
}
