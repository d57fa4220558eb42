import { expect, it } from 'vitest';
import { ServedPolicy } from '../sampling/served-policy.ts';
import { bed, run } from '../loop/loop-bed.fixture.ts';
import { echoGame, echoTasks, playedAgent } from '../loop/scripted-rollouts.fixture.ts';
import { train } from '../loop/train.ts';
import type { TrainOptions } from '../run/train-options.ts';
import type { SampleRequest, StepRow, TrainingSteps } from '../steps/index.ts';

/** A service that counts what it is asked to do, as one that sends bills does. */
function counted(options: TrainOptions, fails: (call: number) => boolean = () => false) {
  const bill = { prompt: 0, sampled: 0, trained: 0, calls: 0, open: 0, mostOpen: 0 };
  const used = (): number => bill.prompt + bill.sampled + bill.trained;
  const open: TrainOptions['service']['open'] = async (session) => {
    const steps = await options.service.open(session);
    const { sample, logprobs, forwardBackward } = {
      sample: steps.sample.bind(steps),
      logprobs: steps.logprobs.bind(steps),
      forwardBackward: steps.forwardBackward.bind(steps),
    };
    const counting: Partial<TrainingSteps> = {
      sample: async (request: SampleRequest) => {
        bill.calls += 1;
        const { calls } = bill;
        bill.prompt += request.prompt.length;
        bill.open += request.samples * request.maxTokens;
        bill.mostOpen = Math.max(bill.mostOpen, bill.open);
        // The whole answer is made and paid for, whatever becomes of its way back.
        const samples = await sample(request);
        bill.sampled += samples.reduce((sum, { tokens }) => sum + tokens.length, 0);
        bill.open -= request.samples * request.maxTokens;
        if (fails(calls)) throw new Error('the answer was lost');
        return samples;
      },
      logprobs: (tokens, weights) => {
        bill.prompt += tokens.length;
        return logprobs(tokens, weights);
      },
      forwardBackward: (rows: readonly StepRow[], loss) => {
        bill.trained += rows.reduce((sum, { tokens }) => sum + tokens.length, 0);
        return forwardBackward(rows, loss);
      },
    };
    return Object.assign(steps, counting);
  };
  return { bill, used, options: { ...options, service: { ...options.service, open } } };
}

it('every token that the service counts is counted: rollouts, evaluations, the base model, passes', async () => {
  const measured = new ServedPolicy({ temperature: 0 });
  const agent = playedAgent(measured, echoGame);
  const evaluation = { agent, policy: measured, tasks: echoTasks, everySteps: 2 };
  const { options } = await bed({ steps: 4, evaluation, klCoefficient: 0.1 });
  const service = counted(options);
  const { promptTokens, sampledTokens, trainedTokens } = (await run(service.options)).at(-1)!.spent;
  const { prompt, sampled, trained } = service.bill;
  expect({ promptTokens, sampledTokens, trainedTokens }).toEqual({
    promptTokens: prompt,
    sampledTokens: sampled,
    trainedTokens: trained,
  });
});

it.each([300, 1_111, 2_500, 4_000])(
  'a run never passes its budget of %i tokens by more than what is in flight',
  async (tokens) => {
    const { options } = await bed({ steps: 99, stopWhen: { tokens }, klCoefficient: 0.1 });
    const service = counted(options);
    const steps = await run(service.options);
    expect(steps.at(-1)).toMatchObject({ isCheckpoint: true, end: { reason: 'budget' } });
    const pass = Math.max(...steps.map((step) => step.rows)) * 5;
    expect(service.used()).toBeLessThanOrEqual(tokens + Math.max(service.bill.mostOpen, pass));
  },
);

it('a call whose answer is lost is counted as the most that it can have cost', async () => {
  const { options } = await bed({ steps: 2, klCoefficient: 0 });
  const service = counted(options, (call) => call === 5);
  await expect(run(service.options)).rejects.toThrow('the answer was lost');
  const again = await run((await bed({ steps: 1, directory: options.directory, klCoefficient: 0 })).options);
  const { promptTokens, sampledTokens } = again[0]!.spent;
  // This process made one step; what it spent by itself is counted anew.
  const own = counted((await bed({ steps: 1, klCoefficient: 0 })).options);
  await run(own.options);
  expect(promptTokens).toBeGreaterThanOrEqual(service.bill.prompt + own.bill.prompt);
  expect(sampledTokens).toBeGreaterThanOrEqual(service.bill.sampled + own.bill.sampled);
});

it('a step that was cut is counted by the next process', async () => {
  const signal = new AbortController();
  const { options, directory } = await bed({ steps: 9, signal: signal.signal });
  const service = counted(options);
  const broken = (async () => {
    for await (const { step } of train(service.options)) {
      if (step === 2) void Promise.resolve().then(() => signal.abort(new Error('killed')));
    }
  })();
  await expect(broken).rejects.toThrow('killed');
  const notices: string[] = [];
  const second = await bed({
    steps: 9,
    directory,
    stopWhen: { tokens: service.used() },
    onNotice: (told) => notices.push(told),
  });
  expect(await run(second.options)).toEqual([]);
  expect(notices.join()).toContain('tokens are used');
});
