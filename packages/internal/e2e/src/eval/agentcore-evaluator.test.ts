import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { AgentCoreEvaluatorReward, type JudgedSample } from '@art/eval';
import { BedrockAgentCore } from '@aws-sdk/client-bedrock-agentcore';
import { expect, it, onTestFinished } from 'vitest';

it("AWS's own client sends the spans of a sample to the evaluator, and its answer is the reward", async () => {
  const asked: { path: string | undefined; body: unknown }[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    asked.push({ path: request.url, body: await json(request) });
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ evaluationResults: [{ value: 0.75, explanation: 'Almost.' }] }));
  };
  const server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const client = new BedrockAgentCore({
    region: 'us-west-2',
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
  });
  onTestFinished(() => client.destroy());
  const remarks: string[] = [];
  const judge = new AgentCoreEvaluatorReward('Builtin.Correctness', { client });
  const judged = await judge.compute(sample, { remark: (text) => void remarks.push(text) });
  expect([judged, remarks]).toEqual([0.75, ['Almost.']]);
  expect(asked).toMatchObject([
    {
      path: '/evaluations/evaluate/Builtin.Correctness',
      body: {
        evaluationInput: {
          sessionSpans: [
            { name: 'invoke_agent agent', startTimeUnixNano: 1_700_000_000_000_000_000 },
            { attributes: { 'gen_ai.operation.name': 'chat', 'session.id': 's' } },
          ],
        },
        evaluationReferenceInputs: [{ expectedResponse: { text: '42' } }],
      },
    },
  ]);
});

const call = {
  startedAtMs: 1_700_000_000_000,
  latencyMs: 10,
  model: 'm',
  prompt: [0],
  answer: 1,
  tools: [],
  finishReason: 'stop',
};
const sample = {
  task: { id: 't', payload: {}, tags: [], expected: '42' },
  sample: 0,
  document: {},
  transcript: {
    sessionId: 's',
    messages: [
      { role: 'user', content: 'What is 6 times 7?' },
      { role: 'assistant', content: 'It is 42.' },
    ],
    calls: [call],
  },
} as unknown as JudgedSample;
