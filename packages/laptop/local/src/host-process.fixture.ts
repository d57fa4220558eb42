/** `ENDING MARKER`; the marker is an argument of every agent, so that a test finds them all. Run as its own process: a runtime with sessions, whose pids it prints, and that is then killed from outside. */
import { randomUUID } from 'node:crypto';
import { startLocalRuntime } from './start-local-runtime.ts';
import { tinyAgent } from './tiny-agent.fixture.ts';

const [ending, marker = ''] = process.argv.slice(2);
const local = await startLocalRuntime({
  agents: {
    stubborn: { command: tinyAgent('ignore-sigterm', marker) },
    shell: { command: `true; ${tinyAgent(marker).join(' ')}; true` },
    slow: { command: tinyAgent('never-listen', marker) },
  },
  stopGraceMs: 200,
  warmPoolSize: 1,
  maxConcurrentStarts: 8,
});
const pids: number[] = [];
for (const agent of ['stubborn', 'shell']) {
  const body = JSON.stringify({ do: 'child' });
  const answer = await local.runtime(agent).invoke({ sessionId: randomUUID(), body });
  const { pid, child } = JSON.parse(answer.body) as { pid: number; child: number };
  pids.push(pid, child);
}
pids.push(...local.sessions().flatMap(({ pid }) => pid ?? []));
console.log(JSON.stringify({ pids, logDir: local.logDir }));
if (ending === 'throw') {
  setImmediate(() => {
    throw new Error('a bug in the host');
  });
}
if (ending === 'close') await local.close();
