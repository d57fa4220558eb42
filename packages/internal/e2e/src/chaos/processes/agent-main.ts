/** The agent under chaos: it does what its payload says, and writes down that it was run before it does anything else. */
import { setTimeout as sleep } from 'node:timers/promises';
import { AgentCoreRLApp } from '@art/agent';
import { lightSchema } from '../../agents/light-schema.ts';
import { appendLine } from '../evidence/durable-lines.ts';
import { handlerProof } from '../evidence/handler-run.ts';

const runsFile = process.env['CHAOS_HANDLER_RUNS'] ?? '';
const secret = process.env['CHAOS_SECRET'] ?? '';

const app = new AgentCoreRLApp({
  rolloutHandler: {
    requestSchema: lightSchema<{ round: number; n: number; do: string; ms: number }>(
      ({ round, n, do: task, ms }) =>
        [round, n, ms].every((number) => Number.isInteger(number)) && typeof task === 'string',
    ),
    process: async ({ round, n, do: task, ms }, context) => {
      const { chaos_attempt: attempt } = context.rollout?.raw ?? {};
      const run = { round, n, attemptId: String(context.invocation?.id), sessionId: context.sessionId };
      appendLine(runsFile, { ...run, pid: process.pid, atMs: Date.now() });
      if (task === 'block') blockFor(ms);
      else await sleep(ms, undefined, { signal: context.signal });
      if (task === 'fail') throw new Error('the tool failed');
      if (task === 'crash' && attempt === 0) process.exit(9);
      if (task === 'stray') {
        void Promise.reject(new Error('left behind'));
        await sleep(60_000, undefined, { signal: context.signal });
      }
      const filling = task === 'large' ? 'x'.repeat(300_000) : undefined;
      return { rewards: n, attempt_id: run.attemptId, proof: handlerProof(secret, run), filling };
    },
  },
});

await app.run();

function blockFor(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}
