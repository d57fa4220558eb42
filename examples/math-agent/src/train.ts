import { readFile } from 'node:fs/promises';
import { RolloutClient, type TrainingRow } from '@art/client';

// A line a problem, as the agent's schema wants it: { "prompt": "...", "answer": "42" }
const file = process.argv[2] ?? new URL('../problems.jsonl', import.meta.url);
const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
const problems = lines.map((line) => JSON.parse(line) as { prompt: string; answer: string });

const client = new RolloutClient({
  agentRuntimeArn: environment('AGENT_RUNTIME_ARN'),
  bucket: environment('RESULTS_BUCKET'),
  expId: `math/${Date.now()}`,
  gateway: { url: environment('GATEWAY_URL'), samplingDefaults: { temperature: 1 } },
  modelId: environment('MODEL_ID'),
  // Ctrl-C stops every session.
  stopOnSignals: true,
});

const batch: TrainingRow[] = [];
for await (const group of client.runGroups(problems, {
  rolloutsPerInput: 4,
  maxConcurrentSessions: 16,
  advantages: { scale: 'population' },
})) {
  const { rows, without } = await group.rows();
  batch.push(...rows);
  console.log(
    `problem ${group.index + 1}: mean reward ${group.meanReward}, ${rows.length} rows, ${without.length} rollouts without`,
  );
}
// Here your trainer takes a step: token ids, loss masks, logprobs and advantages are in the rows.
console.log(`${batch.length} rows, ${batch.reduce((sum, row) => sum + row.token_ids.length, 0)} tokens`);
await client.close();

function environment(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === '') throw new Error(`Set ${name}; see the README.`);
  return value;
}
