import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { FileJournal, RolloutClient } from '@art/client';
import { GatewayClient } from '@art/gateway-client';
import { HttpAgentRuntime } from '@art/local';
import { FileResultStore } from '@art/store';
import { type PolicyRequest, ServedPolicy, SessionRegister, train } from '@art/train';
import { playedService } from '../../played-training.ts';

export interface AgentTrainingTask {
  directory: string;
  /** Endpoint of the training service. */
  endpoint: string;
  gatewayUrl: string;
  /** Where the gateway's engine asks for samples. */
  samplerPort: number;
  /** The local AgentCore. */
  runtime: { endpoint: string; agentRuntimeArn: string };
  /** Folder of the agents' results. */
  results: string;
  words: readonly string[];
  steps: number;
  groupsPerStep: number;
  checkpointEverySteps: number;
}

process.on('disconnect', () => process.exit());
const task = JSON.parse(process.argv[2] ?? '{}') as AgentTrainingTask;
const { directory, runtime: place } = task;
const policy = new ServedPolicy();
const sampler = createServer((request, reply) => {
  json(request)
    .then((body) => policy.sample(body as PolicyRequest))
    .then(
      (samples) => reply.end(JSON.stringify(samples)),
      (error: unknown) => reply.writeHead(503).end(String(error)),
    );
}).listen(task.samplerPort, '127.0.0.1');
await once(sampler, 'listening');

const runtime = new HttpAgentRuntime(place);
const client = new RolloutClient({
  agentRuntimeArn: place.agentRuntimeArn,
  runtime,
  store: new FileResultStore({ root: task.results }),
  bucket: 'results',
  expId: 'chaos',
  modelId: 'policy',
  gateway: { url: task.gatewayUrl, samplingDefaults: { temperature: 1 } },
  onWarning: () => undefined,
});
try {
  const steps = train({
    service: playedService(task.endpoint),
    policy,
    client,
    gateway: new GatewayClient({ url: task.gatewayUrl }),
    tasks: task.words.map((word) => ({ word, maxTokens: 512 })),
    directory,
    steps: task.steps,
    groupsPerStep: task.groupsPerStep,
    rolloutsPerGroup: 2,
    learningRate: 0.01,
    // Groups without spread train, too: every step is one at the service.
    klCoefficient: 0.1,
    checkpointEverySteps: task.checkpointEverySteps,
    maxRolloutMs: 60_000,
    guards: { maxStepsWithoutSpread: 1_000 },
    rolloutJournal: { journal: new FileJournal({ directory: join(directory, 'journal') }), runtime },
    register: new SessionRegister(join(directory, 'sessions.jsonl')),
    onNotice: () => undefined,
  });
  for await (const step of steps) process.send!(step.step);
} finally {
  await client.close();
  sampler.close();
  sampler.closeAllConnections();
}
process.disconnect();
