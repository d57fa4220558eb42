import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runtimeHeaders } from '@art/protocol';
import { FileResultStore } from '@art/store';
import { shortlist } from '@art/tooling/thorough';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AgentProcess, startAgentProcess } from '../agent-process.fixture.ts';
import { target } from '../test-app.fixture.ts';

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'art-stray-'));
});

afterEach(() => rm(root, { recursive: true, force: true, maxRetries: 10 }));

function start(env: Record<string, string> = {}): Promise<AgentProcess> {
  return startAgentProcess(join(import.meta.dirname, 'stray-error-agent.fixture.ts'), {
    ART_RESULT_STORE: pathToFileURL(root).href,
    ...env,
  });
}

async function rollout(url: string, session: string, prompt: string): Promise<void> {
  const answer = await fetch(`${url}/invocations`, {
    method: 'POST',
    headers: { [runtimeHeaders.sessionId]: session },
    body: JSON.stringify({ prompt, _rollout: target }),
  });
  expect(answer.status).toBe(200);
}

async function stored(session: string): Promise<unknown> {
  const key = `exp1/in1/${session}.json`;
  return JSON.parse((await new FileResultStore({ root }).get({ bucket: 'results', key })) ?? 'null');
}

describe('an error that nobody catches', () => {
  it.each(
    shortlist(
      [
        ['rejection', 'a promise that nobody waits for'],
        ['timer', 'a throw in a callback'],
        ['value', 'a text for an error'],
      ],
      2,
    ),
  )('of a %s gives every unfinished rollout a document before the process ends', async (prompt, text) => {
    const agent = await start();
    await rollout(agent.url, 'waiting', 'nothing');
    await rollout(agent.url, 'failing', prompt);
    expect(await agent.exit).toBe(1);
    expect(await stored('failing')).toMatchObject({
      status_code: 500,
      stop_reason: expect.stringContaining(text) as string,
    });
    const reason = (await stored('waiting')) as { status_code: number; stop_reason: string };
    expect(reason.status_code).toBe(500);
    expect(reason.stop_reason).toContain('an error that another rollout did not catch: ');
    expect(reason.stop_reason).toContain(text);
    expect(agent.lines).toContainEqual(expect.objectContaining({ level: 'CRITICAL' }));
  });

  it('that is an outage is no fault of its rollout', async () => {
    const agent = await start();
    await rollout(agent.url, 'failing', 'outage');
    expect(await agent.exit).toBe(1);
    expect(await stored('failing')).toMatchObject({
      status_code: 503,
      stop_reason: 'infrastructure_error',
      message: 'The search index is down.',
    });
  });

  it('is left to Node where the app does not own the process', async () => {
    const agent = await start({ ART_TEST_ONLY_LISTEN: '1', NODE_OPTIONS: '--unhandled-rejections=none' });
    await rollout(agent.url, 'failing', 'rejection');
    const answer = await fetch(`${agent.url}/ping`);
    expect(await answer.json()).toMatchObject({ status: 'HealthyBusy' });
    expect(await stored('failing')).toBeNull();
    expect(agent.process.exitCode).toBeNull();
  });
});
