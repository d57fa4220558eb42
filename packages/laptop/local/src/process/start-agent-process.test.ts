import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Semaphore } from '@art/ground';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { tinyAgent } from '../tiny-agent.fixture.ts';
import { type AgentProcess, type AgentStart, isExposed, startAgentProcess } from './start-agent-process.ts';
import { returnPort, takePort } from './free-port.ts';
import { ProcessGuard } from './process-guard.ts';
import { isGroupAlive } from './process-group.ts';

let directory: string;
const started: AgentProcess[] = [];
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'start-agent-'));
});
afterEach(async () => {
  await Promise.all(started.splice(0).map(({ process }) => process.stop(0)));
  rmSync(directory, { recursive: true });
});

function context(argv: readonly string[], change: Partial<AgentStart> = {}): AgentStart {
  return {
    argv,
    cwd: directory,
    environment: (port) => ({ ...process.env, PORT: String(port) }),
    guard: new ProcessGuard(),
    limit: new Semaphore(2),
    logDirectory: join(directory, 'logs'),
    initTimeoutMs: 100_000,
    ...change,
  };
}

const never = new AbortController().signal;

describe('startAgentProcess', () => {
  it.each([
    'Error: listen EADDRINUSE: address already in use',
    'Port $PORT of 127.0.0.1 is taken by another program.',
  ])('takes another port when somebody was faster: %s', async (said) => {
    const command = `[ -e tried ] && exec "$@"; touch tried; echo "${said}"; exit 1`;
    const agent = await startAgentProcess(context(['/bin/sh', '-c', command, 'sh', ...tinyAgent()]), never);
    started.push(agent);
    expect(readdirSync(join(directory, 'logs'))).toHaveLength(1);
    expect(isGroupAlive(agent.process.pid)).toBe(true);
  });

  describe('an agent that listens where it likes', () => {
    let contractPort: number;
    let ignoring: AgentStart;
    beforeEach(async () => {
      contractPort = await takePort();
      returnPort(contractPort);
      const command = `PORT=${contractPort} exec "$@"`;
      ignoring = context(['/bin/sh', '-c', command, 'sh', ...tinyAgent()], { contractPort });
    });

    it('is found there, one session at a time', async () => {
      const both = [startAgentProcess(ignoring, never), startAgentProcess(ignoring, never)];
      const agent = await Promise.race(both);
      expect(agent.port).toBe(contractPort);
      await agent.process.stop(0);
      const agents = await Promise.all(both);
      started.push(...agents);
      expect(agents.map(({ port }) => port)).toEqual([contractPort, contractPort]);
      expect(readdirSync(join(directory, 'logs'))).toHaveLength(2);
    });

    it('names the port where another session keeps it', async () => {
      started.push(await startAgentProcess(ignoring, never));
      ignoring.initTimeoutMs = 200;
      await expect(startAgentProcess(ignoring, never)).rejects.toThrow(
        `The agent listens on port ${contractPort} whatever PORT says, and another session or program has that port. Have one session at a time (--concurrency 1)`,
      );
    });
  });

  it('gives up after three ports', async () => {
    const command = 'echo x >> tries; echo "address already in use"; exit 1';
    await expect(startAgentProcess(context(['/bin/sh', '-c', command]), never)).rejects.toMatchObject({
      exit: { code: 1 },
    });
  });

  it('leaves nothing when it is aborted', async () => {
    const controller = new AbortController();
    const command = `trap '' TERM; echo up >&2; sleep 600`;
    const start = startAgentProcess(context(['/bin/sh', '-c', command]), controller.signal);
    const logs = (): string[] => {
      try {
        return readdirSync(join(directory, 'logs'));
      } catch {
        return [];
      }
    };
    await expect.poll(logs).toHaveLength(1);
    controller.abort(new Error('not wanted'));
    await expect(start).rejects.toThrow('not wanted');
    expect(logs()).toEqual([]);
  });

  it.each([
    ['tells', ['listen-everywhere'], '127.0.0.1', true],
    ['does not tell where it was asked for', ['listen-everywhere'], '0.0.0.0', false],
    ['does not tell where it is not so', [], '127.0.0.1', false],
  ])('%s that everybody on the network can call the agent', async (_, modes, host, isTold) => {
    const fresh = context(tinyAgent(...modes));
    fresh.environment = (port) => ({ ...process.env, PORT: String(port), ART_HOST: host });
    const agent = await startAgentProcess(fresh, never);
    started.push(agent);
    const isOpen = await isExposed(agent.port);
    // A machine without a network has nobody to be told of.
    const told = isTold && isOpen ? [expect.stringMatching(/at every address.*ART_HOST/)] : [];
    await expect.poll(() => agent.log.tail(9)).toEqual(['listening', ...told]);
    expect(isOpen && modes.length === 0).toBe(false);
  });

  it('does not start while the places are taken', async () => {
    const limit = new Semaphore(1);
    const held = Promise.withResolvers<void>();
    const holder = limit.run(undefined, () => held.promise);
    const start = startAgentProcess(context(tinyAgent(), { limit }), never);
    expect(readdirSync(directory)).toEqual([]);
    held.resolve();
    await holder;
    started.push(await start);
    // The place is free again once the agent is healthy.
    await limit.run(undefined, async () => {});
  });
});
