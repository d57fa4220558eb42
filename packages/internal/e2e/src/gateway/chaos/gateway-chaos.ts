/**
 * Kills a gateway again and again under agents and an engine that fail as well, and looks for lost or altered tokens. Ends
 * with status 1 if there is one. With `--continue` turns continue by their tokens, and each prompt is compared with the reply that it
 * continues from.
 *
 *   pnpm --filter @art/e2e run gateway-chaos --calls 100000 --seed 1
 */
import { parseArgs } from 'node:util';
import { runChaos } from './run-chaos.ts';

const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    agents: { type: 'string', default: '12' },
    engine: { type: 'string', default: 'vllm' },
    continue: { type: 'boolean', default: false },
    'calls-per-kill': { type: 'string', default: '500' },
  },
});

let shown = 0;
const report = await runChaos({
  calls: Number(values.calls),
  seed: Number(values.seed),
  flavour: values.engine === 'sglang' ? 'sglang' : 'vllm',
  continuesTurns: values.continue,
  agents: Number(values.agents),
  callsPerKill: Number(values['calls-per-kill']),
  onKill({ received, kills, losses, examples }) {
    console.error(`${received} replies, ${kills} kills, ${JSON.stringify(losses)}`);
    for (const example of examples.slice(shown)) console.error(example);
    shown = examples.length;
  },
});
console.log(JSON.stringify(report, undefined, 2));
if (Object.values(report.losses).some((count) => count > 0)) process.exitCode = 1;
