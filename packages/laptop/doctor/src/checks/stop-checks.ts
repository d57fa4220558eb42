import { randomUUID } from 'node:crypto';
import { pause } from '@art/ground';
import { runtimeHeaders } from '@art/protocol';
import { type AgentCheck, lookAt } from '../agent-check.ts';
import { must, ok, skipped, warning } from '../finding.ts';
import type { CheckedProcess } from '../room/agent-process.ts';
import { ask } from '../room/ask.ts';
import { plainTurn } from '../room/recording-model.ts';
import { rolloutPair } from '../room/rollout-pair.ts';
import type { Room } from '../room/room.ts';

/** AgentCore kills about 10 s after its SIGTERM (platform V1: 60 s). */
const graceMs = 10_000;

/** Longer than a handler takes that listens, and shorter than servers wait for one that does not. */
const deafMs = 2_000;

const ofStop = lookAt(stopped);
const ofStopAtWork = lookAt(stoppedAtWork);

/** How an agent ends. */
export const stopChecks: readonly AgentCheck[] = [
  {
    id: 'stop.ends',
    title: 'ends within 10 s of SIGTERM',
    why: 'AgentCore kills what takes longer, with everything that it had not yet stored.',
    todo: 'Close the server on SIGTERM. app.run() does so. A launcher such as "npm start" or a shell must pass the signal on: start with exec, or name node itself.',
    requires: 'process',
    run: ofStop(({ agent, hasEnded }) => {
      const how = agent.exit();
      return must(
        hasEnded,
        hasEnded ? `ended with ${how?.signal ?? `code ${how?.code}`}` : 'it still ran after 10 s',
      );
    }),
  },
  {
    id: 'stop.children',
    title: 'leaves no process behind',
    why: 'A launcher that ends alone leaves the agent running, with its port and its sessions.',
    todo: 'Start the agent with exec in a shell script, and without npm in a container.',
    requires: 'process',
    after: 'stop.ends',
    run: async (room) => {
      const { agent } = await stopped(room);
      const answer = await ask(`${agent.url}/ping`, { timeoutMs: 1_000 }).catch(() => undefined);
      return must(
        answer === undefined,
        answer === undefined ? 'nothing answers any more' : 'something still answers pings',
      );
    },
  },
  {
    id: 'stop.busy',
    title: 'ends within 10 s of SIGTERM while a rollout runs',
    why: 'Sessions are stopped while they work.',
    todo: 'Pass context.signal on to what takes long.',
    requires: 'process',
    after: 'rollout.at-once',
    run: ofStopAtWork(({ hasEnded }) => must(hasEnded, hasEnded ? 'ended' : 'it still ran after 10 s')),
  },
  {
    id: 'stop.signal',
    title: 'ends its work when it is asked to',
    why: 'A handler that does not listen to context.signal continues asking its model until it is killed. It costs tokens, and nothing is left of it.',
    todo: 'Pass context.signal on to every call of the model and of tools: signal, abortSignal or cancelSignal, as the framework calls it.',
    requires: 'process',
    after: ['stop.busy', 'rollout.endpoint'],
    run: async (room) => {
      const [idle, atWork] = [await stopped(room), await stoppedAtWork(room)];
      const seen = `${atWork.tookMs.toFixed(0)} ms after SIGTERM, ${idle.tookMs.toFixed(0)} ms where nothing runs`;
      return atWork.tookMs - idle.tookMs < deafMs ? ok(seen) : warning(seen);
    },
  },
  {
    id: 'stop.document',
    title: 'stores a document of a rollout that it could not finish',
    why: 'The trainer knows at once that the session was stopped, and does not wait.',
    todo: 'Store what is left on SIGTERM. AgentCoreRLApp does so.',
    requires: 'process',
    after: 'stop.busy',
    run: ofStopAtWork(({ text }) => (text === undefined ? warning('no document') : ok(text.slice(0, 120)))),
  },
  {
    id: 'stop.not-good',
    title: 'does not call such a rollout a good one',
    why: 'A trainer would learn from an answer that was cut off.',
    todo: 'Store status_code 503 for it.',
    requires: 'process',
    after: ['stop.busy', 'rollout.endpoint'],
    run: ofStopAtWork(({ text }) => {
      if (text === undefined) return skipped('There is no document.');
      return must((JSON.parse(text) as { status_code?: unknown }).status_code !== 200, text.slice(0, 120));
    }),
  },
];

async function terminated(agent: CheckedProcess): Promise<{ hasEnded: boolean; tookMs: number }> {
  const startedAtMs = performance.now();
  agent.terminate();
  const hasEnded = await agent.endedWithin(graceMs);
  return { hasEnded, tookMs: performance.now() - startedAtMs };
}

/** SIGTERM to an agent that has nothing to do. */
function stopped(room: Room): Promise<{ agent: CheckedProcess; hasEnded: boolean; tookMs: number }> {
  return room.once('stopped', async () => {
    const agent = await room.secondAgent();
    return { agent, ...(await terminated(agent)) };
  });
}

/** A rollout whose model takes a minute, and SIGTERM in the middle of it. */
function stoppedAtWork(room: Room): Promise<{ hasEnded: boolean; tookMs: number; text: string | undefined }> {
  return room.once('stopped at work', async () => {
    await rolloutPair(room).catch(() => undefined);
    const agent = await room.startAgent();
    const sessionId = randomUUID();
    room.models[1].turn = { ...plainTurn, delayMs: 60_000 };
    const rollout = {
      exp_id: 'doctor',
      input_id: 'stopped',
      session_id: sessionId,
      s3_bucket: room.bucket.name,
      base_url: room.models[1].baseUrl,
      model_id: 'doctor-stopped',
    };
    await ask(`${agent.url}/invocations`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', [runtimeHeaders.sessionId]: sessionId },
      body: JSON.stringify({ ...room.payload, _rollout: rollout }),
    });
    await pause(300);
    const end = await terminated(agent);
    room.models[1].turn = plainTurn;
    const text = await room.bucket.document(`doctor/stopped/${sessionId}.json`, 0);
    await agent.kill();
    return { ...end, text };
  });
}
