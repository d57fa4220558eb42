import { spawnSync } from 'node:child_process';
import { mkdir, open, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { ArtInside, ArtProcess, runArt } from '../art-process.fixture.ts';
import { capturedContext } from '../captured-context.fixture.ts';
import { formatGatewayEvent, type GatewayEvent } from '../gateway/gateway-event.ts';
import { temporaryFolder } from '../temporary-folder.fixture.ts';
import { createPaint } from '../terminal/paint.ts';
import { reachableUrl, resolveGatewayRun, runGateway } from './gateway.ts';

function refuse(key: string): void {
  throw new Error(`${key} is passed over`);
}

describe('resolveGatewayRun', () => {
  it('is quiet by default, and lets file, environment and flags win in this order', async () => {
    const cwd = await temporaryFolder();
    expect(resolveGatewayRun({}, { cwd, env: {} }, refuse)).toEqual({
      processes: 1,
      options: { store: {}, logLevel: 'error' },
    });
    await writeFile(
      join(cwd, 'g.yaml'),
      'port: 1\nhost: file\nlog_level: DEBUG\nauth: { session_keys: true }\n',
    );
    const env = { RLLM_GATEWAY_PORT: '2', RLLM_GATEWAY_HOST: 'env' };
    expect(
      resolveGatewayRun(
        { config: 'g.yaml', port: 3, dbPath: 'captures', adminToken: 't' },
        { cwd, env },
        refuse,
      ),
    ).toMatchObject({
      options: {
        port: 3,
        host: 'env',
        logLevel: 'debug',
        auth: { adminToken: 't', sessionKeys: true },
        store: { directory: join(cwd, 'captures') },
      },
    });
  });

  it('signs only with a region', () => {
    const run = (env: Record<string, string>) =>
      resolveGatewayRun({ sign: 'bedrock' }, { cwd: '/', env }, refuse);
    expect(run({ AWS_REGION: 'us-west-2' }).options.sign).toBeTypeOf('function');
    for (const env of [{}, { AWS_REGION: 'west' }])
      expect(() => run(env)).toThrow(expect.objectContaining({ code: 'ART_INVALID_OPTION' }));
  });

  it('takes the admin token from the environment, where others cannot see it', async () => {
    const { options } = resolveGatewayRun(
      { sessionKeys: true },
      { cwd: '/', env: { ART_GATEWAY_ADMIN_TOKEN: 's' } },
      refuse,
    );
    expect(options.auth).toEqual({ adminToken: 's', sessionKeys: true });
  });

  it('refuses a file that is not there, and what is misspelt', async () => {
    const cwd = await temporaryFolder();
    const refusal = { code: 'ART_INVALID_OPTION' };
    expect(() => resolveGatewayRun({ config: 'none.yaml' }, { cwd, env: {} }, refuse)).toThrow(
      expect.objectContaining(refusal),
    );
    await writeFile(join(cwd, 'g.yaml'), 'ports: 1\n');
    expect(() => resolveGatewayRun({ config: 'g.yaml' }, { cwd, env: {} }, refuse)).toThrow(
      expect.objectContaining(refusal),
    );
  });

  it('tells what it passes over', async () => {
    const cwd = await temporaryFolder();
    await writeFile(join(cwd, 'g.yaml'), 'port: 4\nnobody_knows: 1\n');
    const keys: string[] = [];
    const resolved = resolveGatewayRun({ config: 'g.yaml' }, { cwd, env: {} }, (key) => void keys.push(key));
    expect(resolved.options).toMatchObject({ port: 4 });
    expect(keys).toEqual(['nobody_knows']);
  });
});

describe('formatGatewayEvent', () => {
  const paint = createPaint({ write: () => undefined }, {});

  it('shows what to point agents and trainers at', () => {
    const text = formatGatewayEvent(
      { event: 'ready', url: 'http://h:1', captures: 'in memory', workers: 2, control: 'open' },
      paint,
    );
    expect(text).toContain('Gateway at http://h:1\n');
    expect(text).toContain('http://h:1/sessions/{id}/v1');
    expect(text).toContain('(2 now)');
    expect(text).toContain('no token is asked for');
  });

  it.each([
    [{ change: 'added', healthy: true, flavour: 'vllm' }, 'worker http://w (vllm) added, up\n'],
    [{ change: 'added', healthy: false, flavour: null }, 'worker http://w added, not answering yet\n'],
    [{ change: 'down', healthy: false, flavour: null }, 'worker http://w down\n'],
    [{ change: 'removed', healthy: true, flavour: null }, 'worker http://w removed\n'],
  ] as const)('%o', (change, line) => {
    expect(formatGatewayEvent({ event: 'worker', workerId: 'w', url: 'http://w', ...change }, paint)).toBe(
      line,
    );
  });
});

it('asks a gateway that listens everywhere on loopback', () => {
  expect(reachableUrl('http://0.0.0.0:90')).toBe('http://127.0.0.1:90');
  expect(reachableUrl('http://[::]:90')).toBe('http://[::1]:90');
  expect(reachableUrl('http://10.0.0.1:90')).toBe('http://10.0.0.1:90');
});

const slow = { interval: 20 };
const json = { 'content-type': 'application/json' };
const reply = JSON.stringify({
  id: 'c',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  prompt_token_ids: [1, 2],
  choices: [
    {
      index: 0,
      finish_reason: 'stop',
      message: { role: 'assistant', content: 'hi' },
      token_ids: [3],
      logprobs: { content: [{ token: 'hi', logprob: -0.5, bytes: null, top_logprobs: [] }] },
    },
  ],
  usage: { prompt_tokens: 2, completion_tokens: 1, total_tokens: 3 },
});

/** An inference server as vLLM is one; model calls wait until they are let go. */
async function startEngine() {
  const gate = Promise.withResolvers<void>();
  const engine = { url: '', calls: 0, isHealthy: true, release: () => gate.resolve() };
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      if (request.url === '/v1/chat/completions') {
        engine.calls += 1;
        void gate.promise.then(() => response.writeHead(200, json).end(reply));
      } else if (request.url === '/health') response.writeHead(engine.isHealthy ? 200 : 503).end();
      else response.writeHead(404).end();
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  engine.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return engine;
}

function eventOf<Name extends GatewayEvent['event']>(
  gateway: ArtProcess,
  name: Name,
  fits: (event: Extract<GatewayEvent, { event: Name }>) => boolean = () => true,
): Promise<Extract<GatewayEvent, { event: Name }>> {
  return vi.waitFor(() => {
    const events = gateway.output
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as GatewayEvent);
    const found = events.find(
      (event): event is Extract<GatewayEvent, { event: Name }> =>
        event.event === name && fits(event as Extract<GatewayEvent, { event: Name }>),
    );
    if (found === undefined) throw new Error(`No ${name} in ${gateway.output}`);
    return found;
  }, slow);
}

describe('art gateway', () => {
  it('captures a call, tells of its workers, and finishes what is under way at Ctrl-C', async () => {
    const cwd = await temporaryFolder();
    const engine = await startEngine();
    await writeFile(join(cwd, 'g.yaml'), 'health_check_interval: 0.02\n');
    const flags = [
      '--config',
      'g.yaml',
      '--store',
      'sqlite',
      '--db-path',
      'captures',
      '--worker',
      engine.url,
    ];
    const gateway = new ArtProcess(cwd, 'gateway', '--port', '0', '--json', ...flags);
    const { url } = await eventOf(
      gateway,
      'ready',
      (event) => event.captures === join(cwd, 'captures') && event.workers === 1,
    );
    await eventOf(gateway, 'notice', ({ message }) => message.includes('--store sqlite'));
    await eventOf(gateway, 'worker', (event) => event.change === 'added' && event.url === engine.url);
    await fetch(`${url}/sessions`, { method: 'POST', headers: json, body: '{"session_id":"s"}' });
    const call = fetch(`${url}/sessions/s/v1/chat/completions`, {
      method: 'POST',
      headers: json,
      body: '{"model":"m","messages":[{"role":"user","content":"hello"}]}',
    });
    await vi.waitFor(() => expect(engine.calls).toBe(1), slow);
    engine.isHealthy = false;
    await eventOf(gateway, 'worker', ({ change }) => change === 'down');

    gateway.child.kill('SIGINT');
    await eventOf(gateway, 'stopping');
    engine.release();
    expect(await (await call).json()).toMatchObject({ choices: [{ message: { content: 'hi' } }] });
    expect(await gateway.finished).toMatchObject({ code: 0, errors: '' });
    expect(gateway.output.trimEnd().split('\n').at(-1)).toBe('{"event":"stopped"}');

    // What it captured is on the disk; told to people this time.
    const again = new ArtInside(cwd, 'gateway', '--port', '0', '--db-path', 'captures');
    const second = await vi.waitFor(() => {
      const [, found] = /Gateway at (http:\S+)\n/.exec(again.errors) ?? [];
      if (found === undefined) throw new Error(again.errors);
      return found;
    }, slow);
    const captures = await (await fetch(`${second}/sessions/s/traces`)).json();
    expect(captures).toMatchObject([
      { prompt_token_ids: [1, 2], completion_token_ids: [3], logprobs: [-0.5] },
    ]);
    const taken = await runArt(cwd, 'gateway', '--port', new URL(second).port);
    expect(taken).toMatchObject({ code: 3, errors: expect.stringContaining('ART_PORT_TAKEN') });
    again.kill('SIGTERM');
    expect(await again.finished).toMatchObject({ code: 0, output: '' });
  });

  it('says what is wrong with a folder of captures that cannot be made, and ends', async () => {
    const cwd = await temporaryFolder();
    await writeFile(join(cwd, 'file'), '');
    const paths = ['file', 'file/below', ...(process.platform === 'linux' ? ['/proc/nope/traces'] : [])];
    for (const path of paths) {
      const { code, errors } = await runArt(cwd, 'gateway', '--port', '0', '--db-path', path);
      expect([code, errors]).toEqual([
        3,
        expect.stringMatching(/ART_GATEWAY_STORE_FAILED: Expected .*directory of captures/),
      ]);
    }
  });

  it('ends at SIGTERM while it starts', async () => {
    const cwd = await temporaryFolder();
    await mkdir(join(cwd, 'captures'));
    // Reading a pipe waits for a writer.
    const pipe = join(cwd, 'captures', 'of-a-session.captures');
    expect(spawnSync('mkfifo', [pipe]).status).toBe(0);
    const context = capturedContext({ cwd });
    const run = runGateway({ port: 0, dbPath: 'captures', json: false }, context);
    context.signals.emit('SIGTERM', 'SIGTERM');
    expect(await run).toBe(0);
    expect(context.exits).toEqual([0]);
    // Lets the start continue, which then ends by itself.
    const writer = await open(pipe, 'w');
    onTestFinished(() => writer.close());
  });

  it('runs several gateways, each at its own address and with its own captures, and starts one again that died', async () => {
    const cwd = await temporaryFolder();
    const engine = await startEngine();
    engine.release();
    const flags = ['--processes', '2', '--db-path', 'captures', '--worker', engine.url];
    const gateways = new ArtProcess(cwd, 'gateway', '--port', '0', '--json', ...flags);
    const ready = (count: number) =>
      vi.waitFor(() => {
        const events = gateways.output
          .split('\n')
          .slice(0, -1)
          .map((line) => JSON.parse(line) as GatewayEvent);
        const found = events.filter((event) => event.event === 'ready');
        if (found.length < count) throw new Error(`No ${count} gateways in ${gateways.output}`);
        return found;
      }, slow);
    const [first, second] = await ready(2);
    expect(new Set([first!.url, second!.url]).size).toBe(2);
    expect([first!.captures, second!.captures].toSorted()).toEqual(
      [0, 1].map((index) => join(cwd, 'captures', `gateway-${index}`)),
    );
    await fetch(`${first!.url}/sessions`, { method: 'POST', headers: json, body: '{"session_id":"s"}' });
    expect((await fetch(`${first!.url}/sessions/s`)).status).toBe(200);
    expect((await fetch(`${second!.url}/sessions/s`)).status).toBe(404);

    const own = childrenOf(gateways.child.pid!);
    expect(own).toHaveLength(2);
    // One that ends within a second of its start counts as one that cannot start, and is not started again.
    await new Promise((resolve) => {
      setTimeout(resolve, 1_100);
    });
    process.kill(own[0]!, 'SIGKILL');
    await ready(3);
    gateways.child.kill('SIGINT');
    expect(await gateways.finished).toMatchObject({ code: 0 });
    expect(childrenOf(gateways.child.pid!)).toEqual([]);
  });
});

function childrenOf(pid: number): number[] {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
  return stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .filter(([, parent]) => parent === pid)
    .map(([child]) => child!);
}
