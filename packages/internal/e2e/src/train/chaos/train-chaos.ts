/**
 * Kills the loop and the training service, process by process, and starts them again: the weights that come out are those of a run that
 * nobody disturbed, no step is made twice, and no session continues. With `--agents` also the gateway and the local AgentCore with real agents, and
 * calls of the service fail, lose their answers and leave gaps.
 *
 *   pnpm --filter @art/e2e run train-chaos --instants 50 [--seed 7] [--agents]
 */
import { parseArgs } from 'node:util';
import { runAgentChaos } from './agents/run-agent-chaos.ts';
import { runTrainChaos } from './run-train-chaos.ts';

const { values } = parseArgs({
  args: process.argv.slice(2).filter((argument) => argument !== '--'),
  options: {
    seed: { type: 'string', default: '1' },
    instants: { type: 'string', default: '50' },
    agents: { type: 'boolean', default: false },
  },
});
const [seed, instants] = (['seed', 'instants'] as const).map((name) => {
  const value = Number(values[name]);
  if (Number.isInteger(value) && value >= 0) return value;
  console.error(`Expected --${name} to be a whole number from 0, got ${JSON.stringify(values[name])}.`);
  process.exit(2);
}) as [number, number];

const interrupted = new AbortController();
process.once('SIGINT', () => interrupted.abort(new Error('interrupted')));
process.once('SIGTERM', () => interrupted.abort(new Error('terminated')));
try {
  const options = {
    seed,
    instants,
    onProgress: (line: string) => void process.stderr.write(`${line}\n`),
    signal: interrupted.signal,
  };
  const { rounds, killed, violations } = values.agents
    ? await runAgentChaos(options)
    : await runTrainChaos(options);
  const counts = Object.entries(killed).map(([victim, count]) => `${victim} ${count}`);
  console.log(`${rounds} rounds; killed: ${counts.join(', ')}.`);
  for (const violation of violations) console.log(`VIOLATION ${violation}`);
  console.log(
    violations.length === 0 ? 'Nothing was lost, doubled or left behind.' : `Repeat with --seed ${seed}.`,
  );
  if (violations.length > 0) process.exitCode = 1;
} catch (error) {
  if (!interrupted.signal.aborted) throw error;
  process.stderr.write('Broken off; everything was cleaned up.\n');
  process.exitCode = 130;
}
