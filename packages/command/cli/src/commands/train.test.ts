import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { holdFolder } from '@art/ground';
import { SessionRegister } from '@art/train';
import { describe, expect, it } from 'vitest';
import { type CapturedContext, capturedContext } from '../captured-context.fixture.ts';
import { runCli } from '../run-cli.ts';
import { temporaryFolder } from '../temporary-folder.fixture.ts';
import { runTrainList, runTrainStop } from '../train/train-sessions.ts';

async function art(argv: string[], cwd?: string): Promise<CapturedContext & { code: number }> {
  const folder = cwd ?? (await temporaryFolder());
  await writeFile(join(folder, 'tasks.jsonl'), '{"prompt":"a"}\n{"prompt":"b"}\n');
  const context = capturedContext({ cwd: folder });
  return { ...context, code: await runCli(['train', ...argv], context) };
}

const tasks = ['--tasks', 'tasks.jsonl'];

describe('art train', () => {
  it('says what it would do and what that costs, and starts nothing', async () => {
    const prices = ['--prices', '{"prompt":1,"sampled":2,"trained":3}', '--budget', '5'];
    const { code, output, errors } = await art([
      'agent.ts',
      ...tasks,
      '--on',
      'local',
      '--dry-run',
      ...prices,
    ]);
    expect({ code, errors: errors() }).toEqual({ code: 0, errors: '' });
    expect(output()).toMatch(/^Agent {4}agent\.ts\nSteps .*score means nothing/);
    // 100 steps of 8 groups of 8, a thousand tokens of each kind in each.
    expect(output()).toMatch(/Rollouts 6400 at most\nCost {5}at most about 5; 57\.60 if a rollout has 1000/);
  });

  it('takes its choices from a file, which flags win over, and --set over both', async () => {
    const cwd = await temporaryFolder();
    const config = {
      steps: 7,
      groupsPerStep: 3,
      learningRate: 1e-4,
      learningRateSchedule: { kind: 'cosine', warmupSteps: 2 },
      adam: { beta2: 0.99, weightDecay: 0.1 },
      loss: { name: 'cispo', clipHigh: 3 },
      average: 'sequence',
      advantages: { baseline: 'leave_one_out' },
      groups: { rewardRule: 'sum' },
      guards: { maxLogprobGap: 0.2 },
      sampling: { temperature: 1 },
      evaluation: { samples: 4, temperature: 0.5 },
      service: { loraAlpha: 16, acceptEula: true, tags: { team: 'a' } },
    };
    await writeFile(join(cwd, 'train.config.ts'), `export default ${JSON.stringify(config)};\n`);
    const flags = ['--steps', '9', '--reward-min', '-1', '--top-p', '0.9', '--eval-every', '3'];
    const set = ['--set', 'adam.beta2=0.98', '--set', 'average=token', '--set', 'guards.maxLogprobGap=0.3'];
    const dry = ['agent.ts', ...tasks, '--on', 'local', '--dry-run', ...flags, ...set];
    const { code, output, errors } = await art(dry, cwd);
    expect({ code, errors: errors() }).toEqual({ code: 0, errors: '' });
    const lines = output().split('\n');
    expect(lines).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^Config .*train\.config\.ts$/),
        '  steps = 9',
        '  groupsPerStep = 3',
        '  rolloutsPerGroup = 8',
        '  learningRate = 0.0001',
        '  learningRateSchedule.kind = "cosine"',
        '  learningRateSchedule.warmupSteps = 2',
        '  adam.beta1 = 0.9',
        '  adam.beta2 = 0.98',
        '  adam.weightDecay = 0.1',
        '  loss.name = "cispo"',
        '  loss.clipLow = 0.8',
        '  loss.clipHigh = 3',
        '  average = "token"',
        '  advantages.baseline = "leave_one_out"',
        '  groups.rewardRule = "sum"',
        '  guards.maxLogprobGap = 0.3',
        `  guards.rewardRange = [-1,${Number.MAX_VALUE}]`,
        '  sampling.temperature = 1',
        '  sampling.topP = 0.9',
        '  evaluation.everySteps = 3',
        '  evaluation.samples = 4',
        '  evaluation.temperature = 0.5',
        '  service.loraRank = 32',
        '  service.loraAlpha = 16',
        '  service.acceptEula = true',
        '  service.tags.team = "a"',
      ]),
    );
  });

  it.each([
    [{ stepz: 3 }, [], /stepz.*Did you mean steps/],
    [{ adam: { beta3: 1 } }, [], /beta3.*Did you mean/],
    [{ loss: { name: 'cross_entropy' } }, [], /importance_sampling, ppo or cispo/],
    [{ sampling: { temperatur: 1 } }, [], /temperatur.*Did you mean temperature/],
    [{ learningRate: 1 }, [], /learningRate.*0\.01/],
    [{ stopWhen: { money: 5 } }, [], /prices/],
    [{ maxStepsOffPolicy: 2, loss: { name: 'importance_sampling' } }, [], /maxStepsOffPolicy/],
    [{}, ['--set', 'adam'], /adam\.beta2=0\.99/],
    [{}, ['--set', 'service.loraRank=0'], /loraRank/],
    [{}, ['--config', 'nowhere.ts'], /--config/],
    [[], [], /default export is an object/],
  ])('refuses the choices %j %j before anything is started', async (config, flags, words) => {
    const cwd = await temporaryFolder();
    await writeFile(join(cwd, 'train.config.ts'), `export default ${JSON.stringify(config)};\n`);
    const { code, errors } = await art(['agent.ts', ...tasks, '--on', 'local', '--dry-run', ...flags], cwd);
    expect(code).toBe(2);
    expect(errors()).toMatch(words);
  });

  it.each([
    [['--on', 'local', ...tasks], /agent/],
    [['agent.ts', '--on', 'local'], /--tasks/],
    [['agent.ts', ...tasks], /--on/],
    [['agent.ts', ...tasks, '--on', 'sagemaker', '--region', 'us-west-2'], /--base-model/],
    [['agent.ts', ...tasks, '--on', 'tinker', '--base-model', 'x'], /TINKER_API_KEY/],
    [['agent.ts', ...tasks, '--on', 'local', '--prices', '{'], /--prices/],
    [['--agent-runtime-arn', 'arn:x', ...tasks, '--on', 'local'], /--agent-gateway/],
    [['agent.ts', ...tasks, '--on', 'gpu'], /local, sagemaker, tinker/],
    [['export', 'nowhere'], /checkpoint/],
  ])('refuses %j before anything is started', async (argv, words) => {
    const { code, errors } = await art(argv);
    expect(code).toBe(2);
    expect(errors()).toMatch(words);
  });

  it('says where the best weights are, else those of the last checkpoint', async () => {
    const cwd = await temporaryFolder();
    await mkdir(join(cwd, 'run'));
    const base = 'run/evaluations/step-00000-art-a';
    const lines = [
      {
        event: 'checkpoint',
        session: 'art-a',
        step: 20,
        weights: 'tinker://m/sampler_weights/s20',
        state: 'st20',
      },
      {
        event: 'evaluation',
        session: 'art-a',
        step: 10,
        score: 0.5,
        weights: 'tinker://m/sampler_weights/s10',
        state: 'st10',
        folder: 'tuned',
        isBest: true,
      },
      { event: 'evaluation', step: 0, score: 0.1, weights: 'w', folder: base, isBest: false },
      { event: 'checkpoint', step: 40, weights: 'tinker://m/sampler_weights/s40', state: 'st40' },
    ].map((line) => JSON.stringify(line));
    const path = join(cwd, 'run/checkpoints.jsonl');
    await writeFile(path, `${lines.join('\n')}\n{"torn`);
    const best = await art(['export', 'run', '--json'], cwd);
    expect(JSON.parse(best.output())).toMatchObject({
      weights: 'tinker://m/sampler_weights/s10',
      score: 0.5,
      evaluations: { base, tuned: 'tuned' },
    });
    await writeFile(path, `${lines[0]}\n${lines[3]}\n`);
    expect((await art(['export', 'run'], cwd)).output()).toMatch(
      /^Weights of step 40: tinker:.*\nTinker gives the adapter.*\nvLLM .*\n {2}vllm serve .*\n {4}--lora-modules .*\nIn the agent one line changes/,
    );
  });

  it('gives the commands for merged weights, of the state of the same step', async () => {
    const cwd = await temporaryFolder();
    await mkdir(join(cwd, 'run'));
    const arn = (version: number): string =>
      `arn:aws:sagemaker:eu-west-1:123456789012:model-package/tuned/${version}`;
    const version = { session: 'art-a', step: 20 };
    const checkpoint = { event: 'checkpoint', ...version, weights: arn(1), state: arn(4) };
    const measured = { event: 'evaluation', ...version, score: 1, folder: 'f', isBest: true };
    const best = { ...measured, weights: arn(3), state: arn(2) };
    const exported = async (...lines: object[]): Promise<string> => {
      const text = lines.map((line) => JSON.stringify(line)).join('\n');
      await writeFile(join(cwd, 'run/checkpoints.jsonl'), `${text}\n`);
      return (await art(['export', 'run'], cwd)).output();
    };

    const merged = await exported(best, checkpoint);
    expect(merged).toContain(`describe-model-package --region eu-west-1 --model-package-name ${arn(3)} `);
    expect(merged).toContain(`'loadState={modelPackageArn=${arn(2)},loadOptimizer=false}'`);
    expect(merged).toMatch(
      /mergeWeights=true[^]*stop-training-session[^]*create-model-import-job[^]*create-endpoint /,
    );
  });

  it('lists and stops the sessions that this machine opened', async () => {
    const cwd = await temporaryFolder();
    const register = new SessionRegister(join(cwd, 'sessions.jsonl'));
    const session = { service: 'local', place: {}, directory: cwd, openedAt: 'then' };
    await register.opening({ ...session, name: 'one' });
    await register.opening({ ...session, name: 'two' });
    const context = capturedContext({ cwd });
    const training = await holdFolder(cwd);
    expect(await runTrainList({ json: false }, context, register)).toBe(0);
    training.release();
    expect(context.output()).toMatch(/^one {2}local .*\n.*\ntwo {2}local/);
    await expect(
      runTrainStop({ sessions: ['three'], all: false, json: false }, context, register),
    ).rejects.toThrow(/art train list/);
    expect(await runTrainStop({ sessions: ['one'], all: false, json: false }, context, register)).toBe(0);
    expect(register.open().map(({ name }) => name)).toEqual(['two']);
    expect(await runTrainStop({ sessions: [], all: true, json: false }, context, register)).toBe(0);
    expect(register.open()).toEqual([]);
  });

  it('stops the others where one cannot be stopped, and names that one', async () => {
    const cwd = await temporaryFolder();
    const register = new SessionRegister(join(cwd, 'sessions.jsonl'));
    const session = { service: 'sagemaker', place: {}, directory: cwd, openedAt: 'then' };
    for (const name of ['one', 'two', 'three']) await register.opening({ ...session, name });
    const context = capturedContext({ cwd });
    const stop = ({ name }: { name: string }) =>
      name === 'two' ? Promise.reject(new Error('no route to AWS')) : Promise.resolve();
    const serviceOf = () => ({ stop, state: () => Promise.resolve('running' as const) });
    const code = await runTrainStop({ sessions: [], all: true, json: false }, context, register, serviceOf);
    expect(code).toBe(3);
    expect(context.output()).toBe('one is stopped.\nthree is stopped.\n');
    expect(context.errors()).toMatch(/^two could not be stopped, .*: no route to AWS\n$/);
    expect(register.open().map(({ name }) => name)).toEqual(['two']);
  });
});
