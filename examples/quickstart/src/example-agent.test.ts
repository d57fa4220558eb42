import { GSM8KReward } from '@art/agent';
import { type MockModel, startMockModel } from '@art/mock-model';
import OpenAI from 'openai';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { generateProblems } from './problems/generate-problems.ts';
import { problemTemplates } from './problems/problem-templates.ts';
import { scriptedReply } from './scripted-model/scripted-reply.ts';
import { solve } from '@art/example-math-agent/solve';

const modelId = 'scripted-math';
let model: MockModel;
let client: OpenAI;

describe('with a model that makes no mistakes', () => {
  beforeEach(() => start({ errorRate: 0 }));
  afterEach(() => model.close());

  it('solves a problem of every kind, by the calculator', async () => {
    const reward = new GSM8KReward();
    for (const template of problemTemplates) {
      for (const { question, answer } of generateProblems({ count: 2, seed: 6, templates: [template] })) {
        const solution = await solve(question, { client, modelId });
        await expect(reward.compute({ responseText: solution.text, groundTruth: answer })).resolves.toBe(1);
        expect(solution.turns.map((turn) => turn.toolCalls)).toEqual([...template.steps.map(() => 1), 0]);
        expect(solution.messages.filter(({ role }) => role === 'tool')).toHaveLength(template.steps.length);
      }
    }
  });

  it('stops after its last turn', async () => {
    const [problem] = generateProblems({ count: 1, seed: 6 });
    const solution = await solve(problem?.question ?? '', { client, modelId, maxTurns: 1 });
    expect(solution.turns).toHaveLength(1);
    expect(solution.text).toBe('');
  });

  it('hands on the text of a model that gives up', async () => {
    const solution = await solve('What is the capital of France?', { client, modelId });
    expect(solution.turns).toHaveLength(1);
    expect(solution.text).toContain('cannot parse');
  });

  it('stops when its signal aborts', async () => {
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(solve('?', { client, modelId, signal })).rejects.toThrow(/abort/i);
  });

  it('fails where the model does not exist', async () => {
    await expect(solve('?', { client, modelId: 'other' })).rejects.toThrow('The model other does not exist.');
  });
});

describe('with a model that takes its time', () => {
  afterEach(() => model.close());

  it('lets go of it when its signal aborts', async () => {
    await start({ errorRate: 0, delayMs: 600_000 });
    const controller = new AbortController();
    const solving = solve('?', { client, modelId, signal: controller.signal });
    controller.abort();
    await expect(solving).rejects.toThrow(/abort/i);
  });
});

describe('with a model that is always mistaken', () => {
  beforeEach(() => start({ errorRate: 1 }));
  afterEach(() => model.close());

  it('gives wrong answers', async () => {
    const reward = new GSM8KReward();
    for (const { question, answer } of generateProblems({ count: 30, seed: 8 })) {
      const { text } = await solve(question, { client, modelId });
      expect(text).toContain('#### ');
      await expect(reward.compute({ responseText: text, groundTruth: answer })).resolves.toBe(0);
    }
  });
});

async function start({ errorRate, delayMs }: { errorRate: number; delayMs?: number }): Promise<void> {
  const script = scriptedReply({ seed: 1, errorRate });
  const reply: typeof script = (request) => (delayMs === undefined ? script(request) : { text: '', delayMs });
  model = await startMockModel({ modelId, reply });
  client = new OpenAI({ baseURL: model.baseUrl, apiKey: 'test', maxRetries: 0 });
}
