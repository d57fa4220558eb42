import { GSM8KReward } from '@art/agent';
import OpenAI from 'openai';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { generateProblems } from './problems/generate-problems.ts';
import { problemTemplates } from './problems/problem-templates.ts';
import {
  type ScriptedModel,
  scriptedModelId,
  startScriptedModel,
} from './scripted-model/start-scripted-model.ts';
import { solve } from '@art/example-math-agent/solve';

let model: ScriptedModel;
let client: OpenAI;

describe('with a model that makes no mistakes', () => {
  beforeEach(() => start({ errorRate: 0 }));
  afterEach(() => model.close());

  it('solves a problem of every kind, by the calculator', async () => {
    const reward = new GSM8KReward();
    for (const template of problemTemplates) {
      for (const { question, answer } of generateProblems({ count: 2, seed: 6, templates: [template] })) {
        const solution = await solve(question, { client, modelId: scriptedModelId });
        await expect(reward.compute({ responseText: solution.text, groundTruth: answer })).resolves.toBe(1);
        expect(solution.turns.map((turn) => turn.toolCalls)).toEqual([...template.steps.map(() => 1), 0]);
        expect(solution.messages.filter(({ role }) => role === 'tool')).toHaveLength(template.steps.length);
      }
    }
    expect(model.counts()).toEqual({ answered: problemTemplates.length * 2, mistaken: 0, gaveUp: 0 });
  });

  it('stops after its last turn', async () => {
    const [problem] = generateProblems({ count: 1, seed: 6 });
    const solution = await solve(problem?.question ?? '', { client, modelId: scriptedModelId, maxTurns: 1 });
    expect(solution.turns).toHaveLength(1);
    expect(solution.text).toBe('');
  });

  it('hands on the text of a model that gives up', async () => {
    const solution = await solve('What is the capital of France?', { client, modelId: scriptedModelId });
    expect(solution.turns).toHaveLength(1);
    expect(solution.text).toContain('cannot parse');
    expect(model.counts()).toEqual({ answered: 0, mistaken: 0, gaveUp: 1 });
  });

  it('stops when its signal aborts', async () => {
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(solve('?', { client, modelId: scriptedModelId, signal })).rejects.toThrow(/abort/i);
  });

  it('fails where the model does not exist', async () => {
    await expect(solve('?', { client, modelId: 'other' })).rejects.toThrow('The model other does not exist.');
  });
});

describe('with a model that takes its time', () => {
  afterEach(() => model.close());

  it('waits for it', async () => {
    await start({ errorRate: 0, latencyMs: 20 });
    const [problem] = generateProblems({ count: 1, seed: 6 });
    const startedMs = performance.now();
    const solution = await solve(problem?.question ?? '', { client, modelId: scriptedModelId });
    expect(solution.text).toContain(`#### ${problem?.answer}`);
    expect(performance.now() - startedMs).toBeGreaterThan(solution.turns.length * 19);
  });

  it('lets go of it when its signal aborts', async () => {
    await start({ errorRate: 0, latencyMs: 600_000 });
    const controller = new AbortController();
    const solving = solve('?', { client, modelId: scriptedModelId, signal: controller.signal });
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
      const { text } = await solve(question, { client, modelId: scriptedModelId });
      expect(text).toContain('#### ');
      await expect(reward.compute({ responseText: text, groundTruth: answer })).resolves.toBe(0);
    }
    expect(model.counts()).toEqual({ answered: 30, mistaken: 30, gaveUp: 0 });
  });
});

async function start(options: { errorRate: number; latencyMs?: number }): Promise<void> {
  model = await startScriptedModel({ seed: 1, ...options });
  client = new OpenAI({ baseURL: model.baseUrl, apiKey: 'test', maxRetries: 0 });
}
