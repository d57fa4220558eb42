import { existsSync } from 'node:fs';
import { appendFile, copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isRunning } from '@art/tooling/is-running';
import { ArtInside, ArtProcess, runArt } from './art-process.fixture.ts';
import { temporaryFolder } from './temporary-folder.fixture.ts';

const sessionId = 'a856c62e-0000-4000-8000-000000000001';

async function folderWithAgent(): Promise<string> {
  const cwd = await temporaryFolder();
  await copyFile(join(import.meta.dirname, 'test-agents/storing-agent.mjs'), join(cwd, 'agent.mjs'));
  return cwd;
}

describe('the art command', () => {
  it('runs an agent, sends it a rollout, starts it afresh, and leaves nothing behind', async () => {
    const cwd = await folderWithAgent();
    const dev = new ArtProcess(cwd, 'dev', 'agent.mjs', '--port', '0', '--env', 'GREETING=hi', '--json');
    const ready = await dev.event('ready');

    const sent = await runArt(cwd, 'invoke', '{"prompt":"6*7"}', '--session-id', sessionId, '--json');
    expect(sent).toMatchObject({ code: 0, errors: '' });
    expect(JSON.parse(sent.output)).toMatchObject({
      outcome: 'ok',
      reward: 1,
      sessionId,
      bucket: 'art-local',
      document: { greeting: 'hi', payload: { prompt: '6*7' } },
    });
    await dev.event('log', ({ line }) => line === 'got {"prompt":"6*7"}');
    await dev.event('session_ended', ({ reason }) => reason === 'stopped');

    // A rollout that is under way when the agent changes is lost, and says so.
    const hanging = new ArtInside(cwd, 'invoke', '{"hang":true}');
    const running = await dev.event('session_started', (event) => event.sessionId !== sessionId);
    await dev.event('log', ({ line }) => line === 'got {"hang":true}');
    await appendFile(join(cwd, 'agent.mjs'), '\nconsole.log("new code");\n');
    expect(await dev.event('restart')).toMatchObject({ files: ['agent.mjs'], endedSessions: 1 });
    expect(isRunning(running.pid!)).toBe(false);
    const again = await runArt(cwd, 'invoke', '{"fail":"boom"}');
    expect(again).toMatchObject({ code: 10, output: expect.stringMatching(/^agent_error .*\n.*boom/) });
    await dev.event('log', ({ line }) => line === 'new code');

    hanging.kill('SIGINT');
    expect(await hanging.finished).toMatchObject({ code: 130, output: expect.stringMatching(/^cancelled/) });

    const pids = dev.events.flatMap((event) => (event.event === 'session_started' ? [event.pid!] : []));
    expect(pids).toHaveLength(3);
    dev.child.kill('SIGINT');
    expect(await dev.finished).toMatchObject({ code: 0, errors: '' });
    expect(dev.events.at(-1)).toMatchObject({ event: 'stopped' });
    expect(pids.filter(isRunning)).toEqual([]);
    expect(existsSync(join(cwd, '.art'))).toBe(false);
    expect(existsSync(ready.logDir)).toBe(false);
    await expect(fetch(ready.endpoint)).rejects.toThrow('fetch failed');
    expect(await runArt(cwd, 'invoke', '{}')).toMatchObject({
      code: 3,
      errors: expect.stringContaining('ART_NO_DEV_INSTANCE'),
    });
  });

  it('shows why an agent does not start, and ends its warm processes', async () => {
    const cwd = await folderWithAgent();
    const dev = new ArtInside(cwd, 'dev', '--port', '0', '--json', '--', 'node', 'agent.mjs', 'crash');
    await dev.event('ready');
    const { code, output } = await runArt(cwd, 'invoke', '{}', '--json');
    expect(JSON.parse(output)).toMatchObject({ document: null, error: { code: 'ART_RUNTIME_START_FAILED' } });
    expect(code).toBe(12);
    await dev.event('log', ({ line }) => line === 'Error: MODEL_ID is not set');
    await dev.event('session_ended', ({ reason }) => reason === 'start_failed');
    dev.kill('SIGTERM');
    expect((await dev.finished).code).toBe(0);
  });

  it('lets things go wrong as a plan says, and refuses a plan that is none', async () => {
    const cwd = await folderWithAgent();
    const rules = [{ name: 'reset once', when: { operation: 'invoke' }, fault: { kind: 'reset' }, count: 1 }];
    await writeFile(join(cwd, 'plan.json'), JSON.stringify({ seed: 1, rules }));
    await writeFile(join(cwd, 'wrong.json'), JSON.stringify({ seed: 1, rules: [{}] }));
    const dev = new ArtInside(cwd, 'dev', 'agent.mjs', '--port', '0', '--faults', 'plan.json', '--json');
    const wrong = new ArtInside(cwd, 'dev', 'agent.mjs', '--port', '0', '--faults', 'wrong.json');
    await dev.event('ready', ({ faults }) => faults === 'plan.json');
    const sent = await runArt(cwd, 'invoke', '{}', '--session-id', sessionId);
    expect(sent.code).toBe(0);
    expect(await dev.event('fault')).toMatchObject({
      rule: 'reset once',
      kind: 'reset',
      moment: 'before',
      operation: 'invoke',
      sessionId,
    });
    expect(await wrong.finished).toMatchObject({
      code: 2,
      errors: expect.stringMatching(/ART_INVALID_OPTION.*wrong\.json\.rules\[0\]\.when/),
    });
    dev.kill('SIGINT');
    expect((await dev.finished).code).toBe(0);
  });

  it('has the bucket of its option only, as a misspelt one must fail as on AWS', async () => {
    const cwd = await folderWithAgent();
    const start = (...flags: string[]): ArtInside =>
      new ArtInside(cwd, 'dev', 'agent.mjs', '--port', '0', '--bucket', 'mine', '--json', ...flags);
    for (const [flags, status] of [
      [[], 404],
      [['--data', 'data'], 404],
      [['--auto-buckets'], 200],
    ] as const) {
      const dev = start(...flags);
      const { endpoint } = await dev.event('ready');
      const put = (path: string, body = '{}'): Promise<Response> =>
        fetch(endpoint + path, { method: 'PUT', body });
      expect((await put('/mine/a.json')).status).toBe(200);
      const misspelt = await put('/mein/a.json');
      expect([flags, misspelt.status]).toEqual([flags, status]);
      if (status === 404) expect(await misspelt.text()).toContain('<Code>NoSuchBucket</Code>');
      // Who makes a bucket means it.
      expect((await put('/made', '')).status).toBe(200);
      expect((await put('/made/a.json')).status).toBe(200);
      dev.kill('SIGINT');
      expect((await dev.finished).code).toBe(0);
    }
    const nowhere = await start('--data', 'agent.mjs/data').finished;
    expect(nowhere).toMatchObject({ code: 2, errors: expect.stringMatching(/`--data` to be a folder/) });
  });

  it('ends when all is done, whatever a module of the user has left open', async () => {
    const cwd = await folderWithAgent();
    await writeFile(join(cwd, 'tasks.json'), '[{}]');
    await writeFile(join(cwd, 'judge.mjs'), 'setInterval(() => undefined, 1_000);');
    const flags = ['--tasks', 'tasks.json', '--reward', 'judge.mjs'];
    expect(await new ArtProcess(cwd, 'eval', 'agent.mjs', ...flags).finished).toMatchObject({
      code: 2,
      errors: expect.stringMatching(/ART_INVALID_OPTION: Expected --reward/),
    });
  });

  it('keeps results on disk, and refuses a port that is taken', async () => {
    const cwd = await folderWithAgent();
    const dev = new ArtInside(cwd, 'dev', 'agent.mjs', '--port', '0', '--data', 'data', '--json');
    const { endpoint } = await dev.event('ready');
    const taken = new ArtInside(cwd, 'dev', 'agent.mjs', '--port', new URL(endpoint).port);
    const sent = new ArtInside(cwd, 'invoke', '{}', '--session-id', sessionId, '--input-id', 'item');
    expect(await taken.finished).toMatchObject({
      code: 3,
      errors: expect.stringContaining('ART_PORT_TAKEN'),
    });
    expect((await sent.finished).code).toBe(0);
    dev.kill('SIGINT');
    await dev.finished;
    expect(existsSync(join(cwd, `data/art-local/art-invoke/item/${sessionId}.json`))).toBe(true);
  });
});
