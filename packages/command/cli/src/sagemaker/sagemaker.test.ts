import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runArt } from '../art-process.fixture.ts';
import { temporaryFolder } from '../temporary-folder.fixture.ts';

const agent = join(import.meta.dirname, '../test-agents/sagemaker-agent.mjs');

async function run(prompts: object[], ...flags: string[]) {
  const cwd = await temporaryFolder();
  await writeFile(join(cwd, 'script.json'), '[{"when":"6","turns":["It is 42."]},{"turns":["No."]}]');
  await writeFile(join(cwd, 'prompts.jsonl'), prompts.map((row) => JSON.stringify(row)).join('\n'));
  const env = ['--env', 'NODE_OPTIONS=--conditions=@art/source'];
  const job = ['--sagemaker', 'prompts.jsonl', '--model', 'script.json', ...flags];
  return runArt(cwd, 'dev', agent, '--port', '0', ...env, ...job);
}

describe('art dev --sagemaker', () => {
  it('plays the trainer, tells rewards, and ends', async () => {
    const prompts = [{ prompt: '6 * 7?' }, { question: 'Who?', more: 1 }];
    const { code, output, errors } = await run(prompts, '--rollouts-per-prompt', '2', '--json');
    expect(errors).toBe('');
    const events = output
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { event: string; index?: number });
    const rollouts = events
      .filter(({ event }) => event === 'rollout')
      .toSorted((a, b) => a.index! - b.index!);
    expect(rollouts).toMatchObject([
      { prompt: '6 * 7?', state: 'ready', rewards: [1], turns: 1 },
      { prompt: '6 * 7?', rewards: [1] },
      { prompt: 'Who?', rewards: [0] },
      { prompt: 'Who?', rewards: [0] },
    ]);
    expect(events.find(({ event }) => event === 'job')).toMatchObject({
      rollouts: 4,
      ready: 4,
      meanReward: 0.5,
    });
    expect(code).toBe(0);
  });

  it('names what would end a real job', async () => {
    const prompts = [{ prompt: '6' }, { prompt: 'lazy' }, { prompt: 'throw' }];
    const { code, output } = await run(prompts);
    expect(code).toBe(16);
    expect(output).toMatch(/rollout 2\/3 ready: reward 0.5, 0 turns/);
    expect(output).toMatch(/3 rollouts: 2 ready, mean reward 0.5\n {2}1 failed: .*\n {2}2 unsampled: /);
  });

  it('says what is missing where the agent does not know the requests', async () => {
    const { code, output } = await run([{ prompt: 'x' }], '--env', 'WITHOUT_WIRE=1');
    expect(code).toBe(16);
    expect(output).toMatch(/refused: .*is sagemakerRollouts\(\) among the wires of the app\?/);
  });

  it('wants its prompts, and no flags of its own without them', async () => {
    const cwd = await temporaryFolder();
    const missing = await runArt(cwd, 'dev', agent, '--sagemaker', 'none.jsonl');
    expect(missing).toMatchObject({
      code: 2,
      errors: expect.stringContaining('ART_INVALID_PAYLOAD') as string,
    });
    const alone = await runArt(cwd, 'dev', agent, '--concurrency', '3');
    expect(alone).toMatchObject({ code: 2, errors: expect.stringContaining('--sagemaker') as string });
  });
});
