import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { type LocalAgentOptions, startLocalRuntime } from '@art/local';
import { describe, expect, it } from 'vitest';
import { scriptedAgent } from './interop/interop-runtime.fixture.ts';

/** The addresses at which the system says that a port is listened on: `127.0.0.1`, or `*` for all of the machine's. */
function listeningAddresses(port: number): string[] {
  if (process.platform !== 'linux') {
    const listed = execFileSync('lsof', ['-nP', `-iTCP:${port}`, '-sTCP:LISTEN', '-Fn'], {
      encoding: 'utf8',
    });
    return [...listed.matchAll(/^n(.*):\d+$/gm)].map(([, address]) => address ?? '').toSorted();
  }
  const hexPort = port.toString(16).toUpperCase().padStart(4, '0');
  const listening = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((table) =>
    existsSync(table)
      ? [...readFileSync(table, 'utf8').matchAll(/^ *\d+: ([0-9A-F]+):([0-9A-F]{4}) \S+ 0A /gm)]
      : [],
  );
  return listening
    .filter((match) => match[2] === hexPort)
    .map(([, address = '']) =>
      /^0+$/.test(address) ? '*' : [...Buffer.from(address, 'hex')].toReversed().join('.'),
    );
}

async function addressesOf(agent: LocalAgentOptions): Promise<string[]> {
  await using local = await startLocalRuntime({ agents: { agent } });
  const sessionId = crypto.randomUUID();
  // Whatever it makes of the payload, it listens by then.
  await local
    .runtime('agent')
    .invoke({ sessionId, body: '{}' })
    .catch(() => undefined);
  return listeningAddresses(local.sessions()[0]!.port!);
}

describe('the socket of a session', () => {
  it('is on loopback', async () => {
    expect(await addressesOf(scriptedAgent)).toEqual(['127.0.0.1']);
  });

  it('is open to the network where that is asked for', async () => {
    expect(await addressesOf({ ...scriptedAgent, env: { ART_HOST: '0.0.0.0' } })).toEqual(['*']);
  });
});
