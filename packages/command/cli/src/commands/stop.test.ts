import { join } from 'node:path';
import { readRun } from '@art/journal';
import { describe, expect, it } from 'vitest';
import { capturedContext } from '../captured-context.fixture.ts';
import { agentArn, FakeAgent } from '../fake-agent.fixture.ts';
import { temporaryFolder } from '../temporary-folder.fixture.ts';
import { breakRun, finishRun } from './journaled-run.fixture.ts';
import { runStop, type StopOptions } from './stop.ts';

async function rig() {
  const cwd = await temporaryFolder();
  const agent = new FakeAgent();
  const context = capturedContext({ cwd });
  const directory = join(cwd, '.art/runs');
  const arns: string[] = [];
  const stop = (options: Partial<StopOptions> = {}) =>
    runStop(
      { run: undefined, dryRun: false, force: false, json: true, ...options },
      context,
      ({ agentRuntimeArn }) => {
        arns.push(agentRuntimeArn);
        return agent;
      },
    );
  const told = () =>
    context
      .output()
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  return { agent, context, directory, stop, told, arns };
}

describe('art stop', () => {
  it('stops what may live, tells of each, and records it', async () => {
    const { agent, context, directory, stop, told, arns } = await rig();
    const journal = await breakRun(agent, directory, 'r');
    const { openSessions } = await readRun(journal, 'r');
    expect(await stop({ run: 'r', dryRun: true })).toBe(0);
    expect(agent.stopped).toEqual([]);
    expect(told()).toHaveLength(openSessions);
    expect(told()[0]).toMatchObject({ runId: 'r', result: 'would_stop' });
    expect(await stop({ run: 'r' })).toBe(0);
    expect(agent.stopped).toHaveLength(openSessions);
    expect(told().slice(openSessions)).toEqual(
      expect.arrayContaining(
        agent.stopped.map(
          (sessionId) => expect.objectContaining({ sessionId, result: 'stopped' }) as unknown,
        ),
      ),
    );
    expect(arns).toEqual([agentArn]);
    expect(context.errors()).toContain(
      `Run r: ${openSessions} stopped, 0 had ended already, 0 could not be stopped.`,
    );
    expect((await readRun(journal, 'r')).openSessions).toBe(0);
    expect(await stop({ run: 'r' })).toBe(0);
    expect(context.errors()).toContain('Run r: no session that may live.');
  });

  it('ends with 3 where a session may still live', async () => {
    const { agent, context, directory, stop, told } = await rig();
    const journal = await breakRun(agent, directory, 'r');
    agent.refusesStops = true;
    expect(await stop({ run: 'r' })).toBe(3);
    expect(told()[0]).toMatchObject({ result: 'failed' });
    expect(context.errors()).toContain('no route to AgentCore');
    expect((await readRun(journal, 'r')).openSessions).toBeGreaterThan(0);
  });

  it('refuses a run that a process works on, unless it is forced', async () => {
    const { agent, directory, stop, context } = await rig();
    const journal = await breakRun(agent, directory, 'r');
    await finishRun(agent, directory, 'done');
    await breakRun(agent, directory, 'second');
    agent.stopped.length = 0;
    const held = await journal.open('r');
    await expect(stop({ run: 'r' })).rejects.toMatchObject({
      code: 'ART_JOURNAL_LOCKED',
      message: expect.stringContaining(`process ${process.pid} on`) as string,
    });
    expect(agent.stopped).toEqual([]);
    // All others are stopped all the same.
    expect(await stop()).toBe(3);
    expect(context.errors()).toContain('ART_JOURNAL_LOCKED');
    expect((await readRun(journal, 'second')).openSessions).toBe(0);
    expect((await readRun(journal, 'r')).openSessions).toBeGreaterThan(0);
    agent.stopped.length = 0;
    expect(await stop({ run: 'r', force: true })).toBe(0);
    expect(agent.stopped.length).toBeGreaterThan(0);
    await held.close();
  });

  it('says so where there is nothing', async () => {
    const { stop, context, directory } = await rig();
    expect(await stop()).toBe(0);
    expect(context.errors()).toBe(`No run in ${directory} has a session that may live.\n`);
    await expect(stop({ run: 'r' })).rejects.toMatchObject({ code: 'ART_JOURNAL_NOT_FOUND' });
  });
});
