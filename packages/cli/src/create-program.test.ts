import { describe, expect, it, vi } from 'vitest';
import { capturedContext } from './captured-context.fixture.ts';
import { createProgram } from './create-program.ts';
import type { DevOptions } from './dev/dev-options.ts';
import type { InvokeOptions } from './invoke/invoke-options.ts';
import { reportError } from './report-error.ts';

async function parse(...argv: string[]) {
  const context = capturedContext();
  const dev = vi.fn<(options: DevOptions) => Promise<void>>(async () => {});
  const invoke = vi.fn<(options: InvokeOptions) => Promise<void>>(async () => {});
  let code = 0;
  try {
    await createProgram(context, { dev, invoke }).parseAsync(argv, { from: 'user' });
  } catch (error) {
    code = reportError(error, context, argv.includes('--json'));
  }
  return {
    code,
    dev: dev.mock.calls[0]?.[0],
    invoke: invoke.mock.calls[0]?.[0],
    output: context.output(),
    errors: context.errors(),
  };
}

describe('art dev', () => {
  it('has defaults', async () => {
    const { dev } = await parse('dev', 'agent.ts');
    expect(dev).toEqual({
      agent: ['agent.ts'],
      bucket: 'art-local',
      name: 'agent',
      region: 'us-west-2',
      warm: 0,
      idleTimeoutMs: 900_000,
      initTimeoutMs: 120_000,
      stopGraceMs: 10_000,
      watch: { kind: 'sources' },
      json: false,
    });
  });

  it('takes every option, before and after the agent', async () => {
    const line =
      'dev --port 0 --bucket my-bucket --name math --region eu-central-1 agent.ts --data d --log-dir l --env A=1 ' +
      '--env B=x=y --env C= --env-file .env --warm 2 --idle-timeout-ms 1000 --init-timeout-ms 2000 ' +
      '--stop-grace-ms 3000 --new-sessions-per-second 0.5 --max-sessions 7 --json --watch src --watch prompts';
    const { dev, errors } = await parse(...line.split(' '));
    expect(errors).toBe('');
    expect(dev).toEqual({
      agent: ['agent.ts'],
      port: 0,
      bucket: 'my-bucket',
      name: 'math',
      region: 'eu-central-1',
      data: 'd',
      logDir: 'l',
      env: { A: '1', B: 'x=y', C: '' },
      envFile: '.env',
      warm: 2,
      idleTimeoutMs: 1_000,
      initTimeoutMs: 2_000,
      stopGraceMs: 3_000,
      newSessionsPerSecond: 0.5,
      maxSessions: 7,
      json: true,
      watch: { kind: 'paths', paths: ['src', 'prompts'] },
    });
  });

  it('keeps the options of the agent behind "--"', async () => {
    const { dev } = await parse('dev', '--no-watch', '--', 'node', 'agent.js', '--port', '1');
    expect(dev).toMatchObject({ agent: ['node', 'agent.js', '--port', '1'], watch: { kind: 'off' } });
    expect(dev?.port).toBeUndefined();
  });

  it.each([
    [['--port', '70000'], /--port .*from 0 to 65535, got "70000"/],
    [['--port', 'http'], /--port .*got "http"/],
    [['--warm', '1.5'], /--warm .*whole number.*got "1.5"/],
    [['--idle-timeout-ms', ''], /--idle-timeout-ms .*got ""/],
    [['--bucket', 'My_Bucket'], /--bucket .*lower-case.*got "My_Bucket"/],
    [['--name', '9x'], /--name .*letter.*got "9x"/],
    [['--env', 'NOVALUE'], /--env .*KEY=VALUE, got "NOVALUE"/],
    [['--env', '1A=b'], /--env .*environment variable.*got "1A"/],
    [['--new-sessions-per-second', '0'], /number from 0.001/],
    [['--prot', '1'], /unknown option '--prot'[\s\S]*--port/],
  ])('refuses %j', async (flags, message) => {
    const { code, dev, errors } = await parse('dev', 'agent.ts', ...flags);
    expect(code).toBe(2);
    expect(dev).toBeUndefined();
    expect(errors).toMatch(message);
    expect(errors).toContain('art dev --help');
  });

  it('needs an agent', async () => {
    expect(await parse('dev')).toMatchObject({ code: 2, errors: expect.stringContaining('agent') });
  });
});

describe('art invoke', () => {
  it('has defaults', async () => {
    const { invoke } = await parse('invoke', '{}');
    expect(invoke).toEqual({ payload: '{}', expId: 'art-invoke', timeoutMs: 900_000, json: false });
  });

  it('takes stdin and negative-looking payloads as what they are', async () => {
    expect((await parse('invoke', '-')).invoke?.payload).toBe('-');
  });

  it('reads --set as JSON where it is JSON', async () => {
    const fields = ['temperature=0.7', 'split=train', 'tags=["a"]', 'note=a=b', 'on=true'];
    const { invoke } = await parse('invoke', '{}', ...fields.flatMap((field) => ['--set', field]));
    expect(invoke?.set).toEqual({ temperature: 0.7, split: 'train', tags: ['a'], note: 'a=b', on: true });
  });

  it.each([
    [['--set', 'exp_id=x'], /Use --exp-id/],
    [['--set', '__proto__={}'], /__proto__/],
    [['--set', '=1'], /field=value, got "=1"/],
    [['--session-id', 'short'], /33 to 256.*got "short"/],
    [['--endpoint', 'localhost:80'], /http or https URL, got "localhost:80"/],
    [['--timeout-ms', '-5'], /got "-5"/],
    [['--exp-id', ''], /not empty, got ""/],
  ])('refuses %j', async (flags, message) => {
    const { code, invoke, errors } = await parse('invoke', '{}', ...flags);
    expect(code).toBe(2);
    expect(invoke).toBeUndefined();
    expect(errors).toMatch(message);
  });
});

describe('art', () => {
  it('prints help and its version on stdout', async () => {
    for (const command of ['dev', 'invoke']) {
      const help = await parse(command, '--help');
      expect(help.code).toBe(0);
      expect(help.output).toMatch(/Examples:[\s\S]*Exit codes:/);
      expect(help.errors).toBe('');
    }
    expect((await parse('--help')).output).toMatch(/dev [\s\S]*invoke /);
    expect((await parse('--version')).output).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it('without a command shows its help and fails', async () => {
    expect(await parse()).toMatchObject({ code: 2, errors: expect.stringContaining('Commands:') });
  });

  it('suggests the command that was meant', async () => {
    expect(await parse('inovke', '{}')).toMatchObject({
      code: 2,
      errors: expect.stringContaining('invoke'),
    });
  });

  it('tells programs of a usage error in JSON', async () => {
    const { code, output } = await parse('invoke', '{}', '--json', '--timeout-ms', 'x');
    expect(code).toBe(2);
    expect(JSON.parse(output)).toEqual({
      event: 'error',
      code: 'usage',
      message: expect.stringContaining('--timeout-ms'),
    });
  });
});
