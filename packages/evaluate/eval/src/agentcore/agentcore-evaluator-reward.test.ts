import { describe, expect, it } from 'vitest';
import type { JudgedSample } from '../run/judge.ts';
import {
  AgentCoreEvaluatorReward,
  type EvaluateAnswer,
  type EvaluateRequest,
} from './agentcore-evaluator-reward.ts';

const call = {
  callId: 'c1',
  startedAtMs: 1_700_000_000_000,
  latencyMs: 10,
  model: 'm',
  prompt: [0],
  answer: 1,
  tools: [],
  finishReason: 'stop',
  promptTokens: 5,
  completionTokens: 4,
};

const messages = [
  { role: 'user', content: 'What is 6 times 7?' },
  { role: 'assistant', content: 'It is 42.' },
];

function sampleOf(expected: unknown, said: object = {}): JudgedSample {
  return {
    task: { id: 't', payload: { prompt: 'What is 6 times 7?' }, tags: [], expected },
    sample: 1,
    document: { text: 'It is 42.' },
    transcript: { sessionId: 'session', messages, calls: [call], ...said } as never,
  };
}

function judgeWith(answer: EvaluateAnswer, evaluator = 'Builtin.Correctness') {
  const asked: EvaluateRequest[] = [];
  const remarks: string[] = [];
  const reward = new AgentCoreEvaluatorReward(evaluator, {
    client: {
      evaluate: async (request) => {
        asked.push(request);
        return answer;
      },
    },
  });
  const judged = async (expected: unknown, said?: object) =>
    reward.compute(sampleOf(expected, said), { remark: (text) => void remarks.push(text) });
  return { asked, judged, remarks };
}

describe('an evaluator of AgentCore', () => {
  it('gets the spans of the sample and what is expected, and its value is the reward', async () => {
    const { asked, judged, remarks } = judgeWith({
      evaluationResults: [{ value: 0.5, label: 'Partly', explanation: 'No steps.' }],
    });
    expect(await judged('42')).toBe(0.5);
    expect(remarks).toEqual(['No steps.']);
    const [{ evaluatorId, evaluationInput, evaluationReferenceInputs }] = asked as [EvaluateRequest];
    const spans = evaluationInput.sessionSpans as { name: string; traceId: string }[];
    expect(evaluatorId).toBe('Builtin.Correctness');
    expect(spans.map((span) => span.name)).toEqual(['invoke_agent agent', 'chat m']);
    expect(evaluationReferenceInputs).toEqual([
      {
        context: {
          spanContext: { sessionId: 'session', traceId: spans[0]!.traceId },
        },
        expectedResponse: { text: '42' },
      },
    ]);
  });

  it('expects the response in the trace of the last turn', async () => {
    const { asked, judged } = judgeWith({ evaluationResults: [{ value: 1 }] });
    await judged('Yes.', {
      messages: [...messages, { role: 'user', content: 'Sure?' }, { role: 'assistant', content: 'Yes.' }],
      calls: [call, { ...call, startedAtMs: call.startedAtMs + 20, prompt: [0, 1, 2], answer: 3 }],
    });
    const [{ evaluationInput, evaluationReferenceInputs }] = asked as [EvaluateRequest];
    const traces = (evaluationInput.sessionSpans as { traceId: string }[]).map(({ traceId }) => traceId);
    expect(new Set(traces).size).toBe(2);
    expect(evaluationReferenceInputs![0]!.context.spanContext.traceId).toBe(traces.at(-1));
  });

  it("gets assertions and tools of AWS's data sets for the session, and nothing of a task that expects nothing", async () => {
    const { asked, judged } = judgeWith({ evaluationResults: [{ value: 1 }] });
    await judged({ expected_response: '42', assertions: ['It is brief.'], expected_trajectory: ['times'] });
    await judged(null);
    expect(asked[0]!.evaluationReferenceInputs).toMatchObject([
      {
        context: { spanContext: { sessionId: 'session' } },
        assertions: [{ text: 'It is brief.' }],
        expectedTrajectory: { toolNames: ['times'] },
      },
      { expectedResponse: { text: '42' } },
    ]);
    expect(asked[1]).not.toHaveProperty('evaluationReferenceInputs');
  });

  it('gives the mean of several results, and its dimensions as metrics', async () => {
    const { judged } = judgeWith({
      evaluationResults: [
        { value: 1, evaluationDimensionName: 'Style' },
        { value: 0, evaluationDimensionName: 'Truth' },
        { value: 0.5, evaluationDimensionName: 'Truth' },
      ],
    });
    expect(await judged(null)).toEqual({ reward: 0.5, metrics: { Style: 1, Truth: 0.25 } });
  });

  it.each<[string, EvaluateAnswer, RegExp]>([
    [
      'a failure',
      { evaluationResults: [{ errorCode: 'Throttled', errorMessage: 'late' }] },
      /Throttled: late/,
    ],
    ['a label alone', { evaluationResults: [{ label: 'Good' }] }, /the label Good alone/],
    ['no value', { evaluationResults: [{ value: 1 }, {}] }, /got undefined/],
    ['no result', {}, /none/],
  ])('never takes %s for a reward', async (_, answer, message) => {
    await expect(judgeWith(answer).judged('42')).rejects.toMatchObject({
      code: 'ART_EVALUATOR_FAILED',
      message: expect.stringMatching(message) as unknown,
    });
  });

  it('does not ask where nothing was captured, or what is no text', async () => {
    const { asked, judged } = judgeWith({ evaluationResults: [{ value: 1 }] });
    const picture = { role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:' } }] };
    await expect(judged('42', { calls: [] })).rejects.toMatchObject({ code: 'ART_EVALUATOR_FAILED' });
    await expect(judged('42', { messages: [picture, messages[1]] })).rejects.toMatchObject({
      code: 'ART_EVALUATOR_FAILED',
    });
    expect(asked).toEqual([]);
  });

  it.each(['', 'Correctness', 'Builtin.', 'my judge-0123456789'])('has no id %j', (id) => {
    expect(() => judgeWith({}, id)).toThrow(/Builtin.Correctness/);
  });
});
