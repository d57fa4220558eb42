/**
 * The SDK calls that a rollout cannot do without: invoke, read, stop; nothing is awaited in between but their answers.
 * Only for agents that have stored their result when they answer.
 */
import { randomUUID } from 'node:crypto';
import { json } from 'node:stream/consumers';
import {
  BedrockAgentCoreClient,
  InvokeAgentRuntimeCommand,
  StopRuntimeSessionCommand,
} from '@aws-sdk/client-bedrock-agentcore';
import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import type { ClientTask } from './client-task.ts';
import { measureProcess } from './measure-process.ts';

const task = (await json(process.stdin)) as ClientTask;
const { agentRuntimeArn, bucket, expId, rollouts, maxConcurrentSessions } = task;

const result = await measureProcess(async (onItem) => {
  const requestHandler = new NodeHttpHandler({
    httpAgent: { keepAlive: true, maxSockets: maxConcurrentSessions },
    httpsAgent: { keepAlive: true, maxSockets: maxConcurrentSessions },
  });
  const agentCore = new BedrockAgentCoreClient({ requestHandler });
  const s3 = new S3Client({ requestHandler, forcePathStyle: true });
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < rollouts) {
      const n = next++;
      await runRollout(agentCore, s3, n);
      onItem('ok');
    }
  };
  await Promise.all(Array.from({ length: maxConcurrentSessions }, worker));
  agentCore.destroy();
  s3.destroy();
});
console.log(JSON.stringify(result));

async function runRollout(agentCore: BedrockAgentCoreClient, s3: S3Client, n: number): Promise<void> {
  const runtimeSessionId = randomUUID();
  const rollout = { exp_id: expId, input_id: randomUUID(), s3_bucket: bucket };
  const accepted = await agentCore.send(
    new InvokeAgentRuntimeCommand({
      agentRuntimeArn,
      runtimeSessionId,
      contentType: 'application/json',
      accept: 'application/json',
      payload: Buffer.from(JSON.stringify({ n, _rollout: rollout })),
    }),
  );
  const reply = JSON.parse((await accepted.response?.transformToString()) ?? '') as { result_key: string };
  const stored = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: reply.result_key }));
  JSON.parse((await stored.Body?.transformToString()) ?? '');
  await agentCore.send(new StopRuntimeSessionCommand({ agentRuntimeArn, runtimeSessionId }));
}
