import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startLocalRuntime } from '@art/local';
import { startMockModel } from '@art/mock-model';
import { S3Client, ListObjectsV2Command } from '@aws-sdk/client-s3';
import { shortlist } from '@art/tooling/thorough';
import { expect, it, onTestFinished } from 'vitest';
import { awsEnvironment } from '../aws/aws-environment.fixture.ts';
import { runArt, type Surroundings } from './art-eval.fixture.ts';

const agent = join(import.meta.dirname, 'eval-agent.fixture.ts');

/** The words of a command with another last one, such as the folder of `--out`. */
function withLast(words: readonly string[], last: string): string[] {
  return [...words.slice(0, -1), last];
}

/** Goals and plans by a name answer as those by a folder do; `kept` says where names are. */
async function answersByName(
  place: Surroundings,
  evaluated: readonly string[],
  kept: readonly string[],
): Promise<void> {
  const goal = async () => {
    const named = ['--until', 'difference from main > 0', ...kept];
    const { code, output } = await runArt(place, ...withLast(evaluated, 'until'), ...named);
    expect([code, output]).toEqual([1, expect.stringMatching(/difference from .*main.* > 0 +refuted/)]);
  };
  const unknown = async () => {
    const named = ['--until', 'difference from none > 0', ...kept];
    const { code } = await runArt(place, ...withLast(evaluated, 'no'), ...named);
    expect([code, existsSync(join(place.cwd, 'no'))]).toEqual([2, false]);
  };
  const plan = async () => {
    const { code, output } = await runArt(place, 'eval', '--plan', '0.1', '--plan-from', 'main', ...kept);
    expect([code, output]).toEqual([0, expect.stringMatching(/It rests on .*main/)]);
  };
  for (const answers of shortlist([goal, unknown, plan], 1)) await answers();
}

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'art-stored-baseline-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }));
  return folder;
}

it('keeps a run in S3 under a name, and another machine compares with it', { timeout: 240_000 }, async () => {
  const s3 = await startLocalRuntime({
    agents: { idle: { command: 'exit 1' } },
    s3: { autoCreateBuckets: true },
  });
  onTestFinished(() => s3.close());
  let reply = 'yes';
  const model = await startMockModel({ reply: () => reply });
  onTestFinished(() => model.close());
  const env = {
    ...awsEnvironment(s3.endpoint),
    AWS_CONFIG_FILE: '/dev/null',
    AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
  };
  const machine = async () => {
    const cwd = await emptyFolder();
    const tasks = Array.from({ length: 12 }, (_, at) => ({
      id: `t${at}`,
      payload: { prompt: 'say', answer: 'yes' },
    }));
    await writeFile(join(cwd, 'tasks.jsonl'), tasks.map((task) => `${JSON.stringify(task)}\n`).join(''));
    return { cwd, env };
  };
  const [one, other] = [await machine(), await machine()];
  const baselines = ['--baselines', 's3://my-bucket/evals'];
  const evaluated = [
    'eval',
    agent,
    '--tasks',
    'tasks.jsonl',
    '--sessions',
    'server',
    '--base-url',
    model.baseUrl,
  ];
  evaluated.push('--model-id', 'mock', '--out', 'run');

  const compare = ['compare', 'run', '--baseline', 'main', '--max-drop', '0.1', ...baselines];
  const kept = await runArt(one, ...evaluated, '--save-as', 'main', ...baselines);
  expect(kept).toMatchObject({ code: 0 });
  const client = new S3Client({
    endpoint: s3.endpoint,
    region: 'us-west-2',
    forcePathStyle: true,
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  onTestFinished(() => client.destroy());
  const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: 'my-bucket' }));
  expect(Contents.map(({ Key }) => Key).filter((key) => key?.startsWith('evals/names/'))).toEqual([
    'evals/names/main.json',
  ]);

  reply = 'no';
  await runArt(other, ...evaluated);
  const worse = await runArt(other, ...compare);
  expect(worse.output).toContain('worse: the whole interval lies below 0');
  expect(worse.code).toBe(1);
  await answersByName(other, evaluated, baselines);
  // What was fetched is gone, and another S3 than that of the environment can be named.
  expect(existsSync(join(other.cwd, '.art', 'fetched-baselines'))).toBe(false);
  const nowhere = { ...env, ...awsEnvironment('http://127.0.0.1:9') };
  const named = await runArt({ ...other, env: nowhere }, ...compare, '--endpoint', s3.endpoint);
  expect([named.code, named.output]).toEqual([1, expect.stringContaining('worse: the whole interval')]);
  const unknown = await runArt(other, ...compare.with(3, 'release'));
  expect(unknown.errors).toContain('kept in s3://my-bucket/evals, got "release"');
  expect(unknown.code).toBe(2);
});

it(
  'keeps a run in a folder under a name, and holds repeats of a task against a share',
  { timeout: 240_000 },
  async () => {
    const calls = new Map<string, number>();
    // Two of three samples pass; then none does.
    const twoOfThree = (question: string): string => {
      calls.set(question, (calls.get(question) ?? 0) + 1);
      return calls.get(question)! % 3 === 0 ? 'no' : 'yes';
    };
    let reply = twoOfThree;
    const model = await startMockModel({ reply: ({ question }) => reply(question) });
    onTestFinished(() => model.close());
    const cwd = await emptyFolder();
    const tasks = Array.from({ length: 12 }, (_, at) => ({
      id: `t${at}`,
      payload: { prompt: `say ${at}`, answer: 'yes' },
    }));
    await writeFile(join(cwd, 'tasks.jsonl'), tasks.map((task) => `${JSON.stringify(task)}\n`).join(''));
    const agentOptions = ['--sessions', 'server', '--base-url', model.baseUrl, '--model-id', 'mock'];
    const evaluated = ['eval', agent, '--tasks', 'tasks.jsonl', ...agentOptions, '--out', 'run'];
    const repeated = ['--samples', '3', '--min-tasks', '2=0.9', '--junit', 'report.xml', '--save-as', 'main'];
    const kept = await runArt(cwd, ...evaluated, ...repeated);
    expect([kept.code, kept.output]).toEqual([
      0,
      expect.stringMatching(/tasks that pass 2 of 3 +>= 0.9 +1.000/),
    ]);
    const junit = await readFile(join(cwd, 'report.xml'), 'utf8');
    expect(junit).toContain('<testsuites tests="13" failures="0"');
    expect(junit).toContain('2 of 3 samples passed');
    const reduced = await runArt(
      cwd,
      ...withLast(evaluated, 'at-least'),
      ...repeated,
      '--reduce',
      'at-least:3',
    );
    expect(reduced.output).toMatch(/mean reward +0.000/);
    expect(reduced.output).toContain('at least 3 of 3 samples pass');
    const compared = await runArt(cwd, 'compare', 'run', 'at-least');
    expect([compared.code, compared.output]).toEqual([3, expect.stringContaining('made in different ways')]);

    reply = () => 'no';
    const strict = await runArt(cwd, ...withLast(evaluated, 'strict'), ...withLast(repeated, 'strict'));
    expect(strict.code).toBe(1);
    expect(await readFile(join(cwd, 'report.xml'), 'utf8')).toContain(
      '<failure type="below" message="0 of 3 samples passed, wanted 2"/>',
    );
    await runArt(cwd, ...withLast(evaluated, 'again'), '--save-as', 'main');
    reply = () => 'yes';
    await runArt(cwd, ...withLast(evaluated, 'best'), '--save-as', 'main');
    reply = () => 'no';
    await answersByName({ cwd, env: {} }, evaluated, []);
  },
);
