import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { shortlist } from '@art/tooling/thorough';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkAgent } from './check-agent.ts';
import { snapshotChecks } from './checks/snapshot-checks.ts';
import type { Finding } from './finding.ts';

const folder = join(import.meta.dirname, 'test-agents');
const peer = createServer((_request, response) => response.end('["search","read"]'));
let cwd: string;
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'art-doctor-'));
  await new Promise<void>((resolve) => {
    peer.listen(0, '127.0.0.1', resolve);
  });
});
afterAll(async () => {
  peer.closeAllConnections();
  peer.close();
  await rm(cwd, { recursive: true, force: true });
});

async function findings(file: string, planted = '', prompts: readonly string[] = []): Promise<Finding[]> {
  // A name of the host that is part of another word is none.
  const [prompt = `What is 6 times 7 in x${hostname()}1?`, otherPrompt] = prompts;
  return checkAgent({
    agent: { command: [process.execPath, '--conditions=@art/source', join(folder, file)], cwd },
    payload: { prompt, answer: '42' },
    otherPayload: otherPrompt === undefined ? undefined : { prompt: otherPrompt, answer: '42' },
    env: {
      ...process.env,
      PLANTED: planted,
      PEER: `http://127.0.0.1:${(peer.address() as AddressInfo).port}`,
    },
    checks: snapshotChecks,
  });
}

const bad = (found: Finding[]): (string | undefined)[][] =>
  found.flatMap(({ id, verdict, seen, because }) =>
    verdict === 'ok' || because !== undefined ? [] : [[id, verdict, seen]],
  );
const line = (text: string): RegExp => new RegExp(`${text}.*cloned-agent\\.mjs:\\d+:\\d+`);

describe('two sessions of one snapshot', () => {
  it.each(
    shortlist(
      [
        // One of each check.
        ['captured uuid', 'snapshot.same-draws', 'fault', line('crypto.randomUUID at')],
        ['file name', 'snapshot.same-values', 'fault', line('file 1 name "run-.*drawn at start at')],
        ['start clock', 'snapshot.start-clock', 'fault', line('answer .startedAt.*read at start at')],
        ['duration', 'snapshot.duration', 'fault', line('answer .upMs.*read at start at')],
        ['socket', 'snapshot.socket', 'fault', line('to 127.0.0.1:\\d+, opened at')],
        ['host name', 'snapshot.host-name', 'warning', line('read at')],
        ['credential', 'snapshot.credentials', 'fault', line('read at.*')],
        ['fetched tools', 'snapshot.fetched', 'warning', line('http://127.0.0.1:\\d+/tools at')],
        ['shuffle', 'snapshot.same-draws', 'fault', line('Math.random at')],
        ['uuid pool', 'snapshot.same-values', 'fault', line('answer .id.*drawn at start at')],
        ['byte pool', 'snapshot.same-values', 'fault', line('answer .id.*drawn at start at')],
        ['file text', 'snapshot.same-values', 'fault', line('file 1 text.*drawn at start at')],
        ['seed', 'snapshot.same-values', 'fault', line('model call 1 .seed.*drawn at start at')],
        ['shuffled at start', 'snapshot.same-values', 'fault', line('tools.*drawn at start at')],
        ['wall duration', 'snapshot.duration', 'fault', line('answer .upSeconds.*read at start at')],
      ],
      8,
    ),
  )('are told of a %s, with its place, and of nothing else', async (planted, id, verdict, seen) => {
    expect(bad(await findings('cloned-agent.mjs', planted))).toEqual([
      [id, verdict, expect.stringMatching(seen)],
    ]);
  });

  it('are told of no files that several sessions share, where each writes what no other one has', async () => {
    expect(bad(await findings('cloned-agent.mjs', 'good files'))).toEqual([]);
  });

  it('may have different tasks', async () => {
    const ids = async (...prompts: string[]) =>
      bad(await findings('cloned-agent.mjs', 'task', prompts)).map(([id]) => id);
    expect(await ids('What is order 8 in this?', 'What is 6 times 8?')).toEqual([]);
    expect(await ids('What is order 8 in this?', 'Which order is this?')).toEqual(['snapshot.same-values']);
  });

  it.each(['cloned-agent.mjs', 'good-agent.fixture.ts'])(
    'find nothing in %s, which shares nothing',
    async (file) => {
      const found = await findings(file);
      expect(bad(found)).toEqual([]);
      expect(found.every(({ verdict }) => verdict === 'ok')).toBe(true);
    },
  );
});
