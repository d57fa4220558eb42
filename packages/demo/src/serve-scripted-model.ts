import { numberFlag } from './command-line/number-flag.ts';
import { parseFlags } from './command-line/parse-flags.ts';
import { runCommand } from './command-line/run-command.ts';
import { scriptedModelId, startScriptedModel } from './scripted-model/start-scripted-model.ts';

const help = `Serves the scripted model on loopback, for trying an agent or the model itself by hand. Ctrl-C ends it.

Usage: npm run model -- [options]

  --port N         default 8000
  --error-rate P   how often it is wrong, 0 to 1 (default 0.2)
  --latency-ms MS  how long it thinks before each reply (default 0)
  --seed N         which mistakes it makes (default 0)
  --help           this text
`;

const flags = {
  port: { type: 'string', default: '8000' },
  'error-rate': { type: 'string', default: '0.2' },
  'latency-ms': { type: 'string', default: '0' },
  seed: { type: 'string', default: '0' },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

await runCommand(async (args) => {
  const values = parseFlags(args, flags);
  if (values.help) {
    process.stdout.write(help);
    return 0;
  }
  const model = await startScriptedModel({
    port: numberFlag('port', values.port, { min: 0, max: 65_535, integer: true }),
    errorRate: numberFlag('error-rate', values['error-rate'], { min: 0, max: 1 }),
    latencyMs: numberFlag('latency-ms', values['latency-ms'], { min: 0, max: 3_600_000 }),
    seed: numberFlag('seed', values.seed, { min: 0, max: Number.MAX_SAFE_INTEGER, integer: true }),
  });
  process.stdout.write(`Model ${scriptedModelId} at ${model.baseUrl}\n`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void model.close());
  return 0;
});
