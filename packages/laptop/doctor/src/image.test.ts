import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { agentChecks, checkAgent } from './check-agent.ts';
import type { Finding } from './finding.ts';

/** A command that notes how it was called, and serves the port that it was told to map. No image is run. */
const fake = `#!${process.execPath}
const { appendFileSync } = require('node:fs');
const { createServer } = require('node:http');
const words = process.argv.slice(2);
appendFileSync(__dirname + '/calls.txt', JSON.stringify(words) + '\\n');
if (words[0] === 'run') {
  const [, port] = words.find((word) => word.startsWith('--publish=')).split(':');
  createServer((_, response) => response.end('{"status":"Healthy"}')).listen(Number(port), '127.0.0.1');
}
`;

async function folderWith(command?: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'art-doctor-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  if (command === undefined) return folder;
  await writeFile(join(folder, command), fake);
  await chmod(join(folder, command), 0o755);
  return folder;
}

function check(PATH: string): Promise<Finding[]> {
  return checkAgent({
    agent: { image: 'my-agent:latest' },
    payload: {},
    env: {
      PATH,
      OPENAI_API_KEY: 'mine',
      AWS_SECRET_ACCESS_KEY: 'mine',
      AWS_CONTAINER_AUTHORIZATION_TOKEN: 'mine',
      MY_TOKEN: 'mine',
    },
    checks: agentChecks.filter(({ id }) => id === 'start.answers' || id === 'start.all-addresses'),
  });
}

it.each(['docker', 'podman', 'finch'])(
  'runs an image by %s as AgentCore does, and removes it',
  async (name) => {
    const folder = await folderWith(name);
    expect((await check(folder)).map(({ verdict }) => verdict)).toEqual(['ok', 'ok']);
    const calls = (await readFile(join(folder, 'calls.txt'), 'utf8'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as string[]);
    expect(calls).toHaveLength(2);
    const [run, remove] = calls as [string[], string[]];
    expect(run.slice(0, 6)).toEqual([
      'run',
      '--rm',
      expect.stringMatching(/^--name=art-doctor-[0-9a-f-]{36}$/) as string,
      '--platform=linux/arm64',
      expect.stringMatching(/^--publish=127\.0\.0\.1:\d+:8080$/) as string,
      '--add-host=host.docker.internal:host-gateway',
    ]);
    const environment = run.filter((word) => word.startsWith('--env='));
    expect(environment).toContainEqual(
      expect.stringMatching(/^--env=AWS_ENDPOINT_URL_S3=http:\/\/host\.docker\.internal:\d+$/),
    );
    // Its keys stay here, so the model of its users is played.
    expect(environment).toContainEqual(
      expect.stringMatching(/^--env=OPENAI_BASE_URL=http:\/\/host\.docker\.internal:\d+\/v1$/),
    );
    expect(run.slice(6)).toEqual([...environment, 'my-agent:latest']);
    expect(run.join()).not.toContain('mine');
    expect(remove).toEqual(['rm', '--force', run[2]!.replace('--name=', '')]);
  },
);

it('says what it needs where nothing runs images, before anything is started', async () => {
  await expect(check(await folderWith())).rejects.toMatchObject({
    code: 'ART_NO_CONTAINER_ENGINE',
    message: expect.stringMatching(/docker, podman, finch on PATH/) as string,
  });
});
