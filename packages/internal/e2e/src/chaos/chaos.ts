/**
 * Everything goes wrong, in real processes, and nothing may be lost, doubled or left behind.
 *
 *   pnpm chaos --seed 7 --minutes 30 [--rollouts 60] [--concurrency 8] [--keep]
 *
 * The seed decides the payloads, the fault plans and when they change, and when clients, agents and the runtime are killed.
 * Which request is the n-th of its kind is up to the machine, so a seed replays the same faults, and not the same second.
 */
import { parseArgs } from 'node:util';
import { formatChaosReport } from './chaos-report.ts';
import { runChaos } from './run-chaos.ts';

const { values } = parseArgs({
  args: process.argv.slice(2).filter((argument) => argument !== '--'),
  options: {
    seed: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '2' },
    rollouts: { type: 'string', default: '60' },
    concurrency: { type: 'string', default: '8' },
    keep: { type: 'boolean', default: false },
  },
});
const numbers = Object.fromEntries(
  (['seed', 'minutes', 'rollouts', 'concurrency'] as const).map((name) => {
    const value = Number(values[name]);
    if (Number.isFinite(value) && value >= 0) return [name, value];
    console.error(`Expected --${name} to be a number from 0, got ${JSON.stringify(values[name])}.`);
    process.exit(2);
  }),
) as Record<'seed' | 'minutes' | 'rollouts' | 'concurrency', number>;

const interrupted = new AbortController();
process.once('SIGINT', () => interrupted.abort(new Error('interrupted')));
process.once('SIGTERM', () => interrupted.abort(new Error('terminated')));
const isTerminal = process.stderr.isTTY;

try {
  const report = await runChaos({
    ...numbers,
    keep: values.keep,
    onProgress: (line) => process.stderr.write(isTerminal ? `\r\u001B[K${line}` : `${line}\n`),
    signal: interrupted.signal,
  });
  if (isTerminal) process.stderr.write('\r\u001B[K');
  console.log(formatChaosReport(report));
  if (report.violations.length > 0) process.exitCode = 1;
} catch (error) {
  if (!interrupted.signal.aborted) throw error;
  process.stderr.write('\nBroken off; everything was cleaned up.\n');
  process.exitCode = 130;
}
