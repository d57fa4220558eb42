import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { RolloutClient } from '@art/client';
import { type Gateway, startGateway } from '@art/gateway';
import { GatewayClient } from '@art/gateway-client';
import { type AgentServer, startAgentServer } from '@art/local';
import { FileResultStore } from '@art/store';
import { tokenEngine } from '@art/token-engine';
import { ServedPolicy, SessionRegister, type TrainOptions } from '@art/train';
import { localService, writeWordTokenizer } from '@art/train/local';
import { onTestFinished } from 'vitest';

export const words = ['ba', 'de', 'fi', 'go'];

export interface TrainingBed {
  directory: string;
  checkpoint: string;
  agents: AgentServer;
  policy: ServedPolicy;
  client: RolloutClient;
  options: TrainOptions;
  /** A gateway before another policy, and a client of the same agent that calls it. */
  open(policy: ServedPolicy): Promise<{ gateway: Gateway; control: GatewayClient; client: RolloutClient }>;
}

/** Everything that `train` needs, as it is in production but for the service: an agent in a process, a gateway, a token engine. */
export async function openTrainingBed(given: Partial<TrainOptions> = {}): Promise<TrainingBed> {
  const directory = await mkdtemp(join(tmpdir(), 'art-training-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true, maxRetries: 10 }));
  const results = join(directory, 'results');
  const agents = await startAgentServer({
    command: [process.execPath, '--conditions=@art/source', join(import.meta.dirname, 'echo-agent.ts')],
    env: { ART_RESULT_STORE: pathToFileURL(results).href },
    logDir: join(directory, 'logs'),
  });
  onTestFinished(() => agents.close());
  const checkpoint = join(directory, 'tokenizer');
  const tokenizer = await writeWordTokenizer(checkpoint, words);

  const open: TrainingBed['open'] = async (policy) => {
    const engine = tokenEngine({ sampler: policy, checkpoint, renderThreads: 1 });
    const gateway = await startGateway({ port: 0, logLevel: 'silent', engine, cumulativeTokenMode: true });
    onTestFinished(() => gateway.close());
    const client = new RolloutClient({
      runtime: agents.runtime,
      store: new FileResultStore({ root: results }),
      bucket: 'results',
      expId: 'training',
      modelId: 'policy',
      gateway: { url: gateway.url, samplingDefaults: { temperature: 1 } },
    });
    onTestFinished(() => client.close());
    return { gateway, control: new GatewayClient({ url: gateway.url }), client };
  };

  const policy = new ServedPolicy();
  const { control, client } = await open(policy);
  const shape = {
    ...tokenizer,
    hiddenSize: 32,
    intermediateSize: 32,
    layers: 1,
    heads: 2,
    headSize: 16,
    maxContext: 32,
  };
  const options: TrainOptions = {
    service: localService({ shape, seed: 1, directory: join(directory, 'saved') }),
    policy,
    client,
    gateway: control,
    tasks: words.map((word) => ({ word })),
    directory: join(directory, 'run'),
    steps: 3,
    groupsPerStep: 4,
    rolloutsPerGroup: 8,
    learningRate: 0.01,
    klCoefficient: 0.05,
    register: new SessionRegister(join(directory, 'register.jsonl')),
    ...given,
  };
  return { directory, checkpoint, agents, policy, client, options, open };
}
