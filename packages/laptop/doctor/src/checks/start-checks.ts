import { networkInterfaces } from 'node:os';
import { type AgentCheck, lookAt } from '../agent-check.ts';
import { must, ok, skipped, warning } from '../finding.ts';
import { ask } from '../room/ask.ts';

/** Source: AgentCore developer guide, lifecycle hooks. */
const warmupMs = 120_000;
const ofAgent = lookAt((room) => room.agent());

/** From the start of the process to its first answer. AWS: 30 s for code, 120 s for containers. */
export const startAgentChecks: readonly AgentCheck[] = [
  {
    id: 'start.answers',
    title: 'starts and answers a ping within 30 s, a container within 120 s',
    why: 'AgentCore gives up on what takes longer, or ends before its first answer.',
    todo: 'Read what the agent wrote. It must listen on the port in the environment variable PORT, else on 8080, and in a container at 0.0.0.0.',
    requires: 'process',
    run: ofAgent(({ startMs }) => must(true, `after ${startMs.toFixed(0)} ms`)),
  },
  {
    id: 'start.fast',
    title: 'answers the first ping within 3 s',
    why: 'Every rollout starts a session, so every rollout waits for it.',
    todo: 'Bundle the agent into one file, and load what is seldom used when it is used.',
    requires: 'process',
    run: ofAgent(({ startMs }) =>
      startMs < 3_000 ? ok(`${startMs.toFixed(0)} ms`) : warning(`${startMs.toFixed(0)} ms`),
    ),
  },
  {
    id: 'start.all-addresses',
    title: 'listens at all addresses of its machine',
    why: 'AgentCore calls the container from outside. What listens on 127.0.0.1 only is never reached.',
    todo: 'Listen on 0.0.0.0, unless the environment variable ART_HOST says otherwise.',
    requires: 'process',
    run: async (room) => {
      if (room.isContainer) return ok('reached through the port that was mapped');
      const address = Object.values(networkInterfaces())
        .flatMap((list) => list ?? [])
        .find(({ internal, family }) => !internal && family === 'IPv4')?.address;
      if (address === undefined) return skipped('This machine has no address but loopback.');
      const { port } = new URL(await room.url());
      const answer = await ask(`http://${address}:${port}/ping`).catch((error: Error) => error);
      return answer instanceof Error
        ? must(false, `no answer at ${address}: ${answer.message}`)
        : must(answer.status === 200, `status ${answer.status} at ${address}`);
    },
  },
  {
    id: 'start.no-model-call',
    title: 'asks no model before it is asked itself',
    why: 'AgentCore may start many sessions from one snapshot of the loaded agent.',
    todo: 'Make clients and calls in the handler.',
    requires: 'process',
    run: async (room) => {
      await room.agent();
      const calls = room.models.reduce((sum, { requests }) => sum + requests.length, 0);
      return must(calls === 0, `${calls} calls`);
    },
  },
  {
    id: 'start.no-storage-call',
    title: 'asks no S3 before it is asked itself',
    why: 'Credentials that are fetched while the agent loads are old when a snapshot of it is started.',
    todo: 'Make clients of AWS when the first request needs them.',
    requires: 'process',
    run: async (room) => {
      await room.agent();
      return must(room.bucket.requests() === 0, `${room.bucket.requests()} requests`);
    },
  },
  {
    id: 'start.warmup',
    title: 'warms up, where it has a warm-up at /warmup',
    why: 'AgentCore does not make a runtime whose warm-up fails or takes more than 120 s, and does not try again.',
    todo: 'Read what the agent wrote. A warm-up loads modules and data; it opens no connection, fetches no credentials, draws no random number, and reads no clock.',
    requires: 'process',
    run: async (room) => {
      const { url } = await room.agent();
      const { status, tookMs } = await ask(`${url}/warmup`, { method: 'POST', timeoutMs: warmupMs });
      if (status === 404 || status === 405) return ok('it has none');
      return must(status >= 200 && status < 300, `status ${status} after ${tookMs.toFixed(0)} ms`);
    },
  },
  {
    id: 'start.twice',
    title: 'can run twice on one machine',
    why: 'Local tests run a process for each session. A fixed port, file or lock stops the second one.',
    todo: 'Take the port from PORT, and temporary files from mkdtemp.',
    requires: 'process',
    run: async (room) => {
      const second = await room.secondAgent();
      const { status } = await ask(`${second.url}/ping`);
      const first = await room.ping();
      return must(
        status === 200 && first.status === 200,
        `status ${first.status} of the first, ${status} of the second`,
      );
    },
  },
];
