import { checkFaultPlan } from '@art/local/faults';
import { Help } from '@commander-js/extra-typings';
import { describe, expect, it } from 'vitest';
import { capturedContext } from './captured-context.fixture.ts';
import { commands } from './commands.ts';
import { createProgram, listedCommand } from './create-program.ts';
import type { DevOptions } from './dev/dev-options.ts';
import type { InvokeCommandOptions } from './invoke/invoke-options.ts';
import { reportError } from './report-error.ts';
import { runCli } from './run-cli.ts';

async function parse(...argv: string[]) {
  const context = capturedContext();
  const ran: [name: string, options: object][] = [];
  let code = 0;
  try {
    const program = await createProgram(context, argv, (run) => async (options) => {
      ran.push([run.name, options as object]);
    });
    await program.parseAsync(argv, { from: 'user' });
  } catch (error) {
    code = reportError(error, context, argv.includes('--json'));
  }
  const of = (name: string): object | undefined => ran.find(([run]) => run === name)?.[1];
  return {
    code,
    dev: of('runDev') as DevOptions | undefined,
    invoke: of('runInvoke') as InvokeCommandOptions | undefined,
    ran: ran[0],
    output: context.output(),
    errors: context.errors(),
  };
}

describe('the list of commands', () => {
  it.each(commands.map((entry) => [entry.usage, entry] as const))('has %s as it is', async (_, entry) => {
    const command = (await entry.load())(() => async () => {});
    const help = new Help();
    expect(help.subcommandTerm(listedCommand(entry))).toBe(help.subcommandTerm(command));
  });
});

it.each([
  'htp://user:secret@host/v1',
  'user:secret@host/v1',
  'http://user:secret@host:99999/v1',
  'http:/\\user:se"cr\'et secret@',
])('an address on the command line that is refused is told without its password: %s', async (address) => {
  for (const given of [['--base-url', address], [`--base-url=${address}`]]) {
    const refused = await parse('eval', 'agent.ts', '--tasks', 't.jsonl', '--json', ...given);
    expect(refused.code).toBe(2);
    expect(refused.errors).toContain('[redacted]@');
    expect(refused.output).toContain('[redacted]@');
    expect(refused.errors + refused.output).not.toMatch(/secret|se"cr/);
  }
});

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
      allowCommands: false,
      autoBuckets: false,
      otel: false,
      json: false,
    });
  });

  it('takes every option, before and after the agent', async () => {
    const line =
      'dev --port 0 --bucket my-bucket --name math --region eu-central-1 agent.ts --data d --log-dir l --env A=1 ' +
      '--env B=x=y --env C= --env-file .env --warm 2 --idle-timeout-ms 1000 --init-timeout-ms 2000 ' +
      '--stop-grace-ms 3000 --new-sessions-per-second 0.5 --max-sessions 7 --faults plan.json --auto-buckets --allow-commands --json --watch src --watch prompts';
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
      faults: 'plan.json',
      allowCommands: true,
      autoBuckets: true,
      otel: false,
      json: true,
      watch: ['src', 'prompts'],
    });
  });

  it('keeps the options of the agent behind "--"', async () => {
    const { dev } = await parse('dev', '--no-watch', '--', 'node', 'agent.js', '--port', '1');
    expect(dev).toMatchObject({ agent: ['node', 'agent.js', '--port', '1'], watch: false });
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
    [['--faults', ''], /--faults .*not empty/],
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
    expect(invoke).toEqual({
      payload: '{}',
      expId: 'art-invoke',
      timeoutMs: 900_000,
      storeCheck: true,
      json: false,
    });
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
    [['--endpoint', 'localhost:80'], /http or https URL .*got "localhost:80"/],
    [['--base-url', 'localhost:80'], /http or https URL .*got "localhost:80"/],
    [['--bucket', 'My_Bucket'], /3 to 63 lower-case letters.*got "My_Bucket"/],
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
    for (const command of ['dev', 'invoke', 'mock-model', 'collect']) {
      const help = await parse(command, '--help');
      expect(help.code).toBe(0);
      expect(help.output).toMatch(/Examples:[\s\S]*Exit codes:/);
      expect(help.errors).toBe('');
      // Only an ARN is longer than a line.
      expect(help.output.split('\n').filter((line) => line.length > 76 && !/\S{45}/.test(line))).toEqual([]);
    }
    const list = (await parse('--help')).output;
    expect(list).toMatch(/dev [\s\S]*invoke /);
    expect(list).not.toMatch(/.{77}/);
    expect((await parse('--version')).output).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it('teaches fault plans with one that works', async () => {
    const { output } = await parse('dev', '--help');
    const plan = /^ {2}(\{ "seed"[\s\S]*?\] \})$/m.exec(output)?.[1];
    expect(checkFaultPlan(JSON.parse(plan ?? '')).rules).toHaveLength(3);
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

describe('art invoke --payloads', () => {
  it('is its own batch', async () => {
    const { ran, invoke } = await parse('invoke', '--payloads', 'p.jsonl', '--model-id', 'm');
    expect(invoke).toBeUndefined();
    expect(ran).toEqual([
      'runBatch',
      {
        payloads: 'p.jsonl',
        concurrency: 8,
        expId: 'art-invoke',
        modelId: 'm',
        timeoutMs: 900_000,
        storeCheck: true,
      },
    ]);
    const line = 'invoke --payloads - --journal s3://my-bucket/j --run step-1 --concurrency 32 --out o.jsonl';
    const limits = ['--max-failures', '20%', '--no-store-check'];
    expect((await parse(...line.split(' '), ...limits)).ran?.[1]).toMatchObject({
      maxFailures: 0.2,
      storeCheck: false,
      payloads: '-',
      journal: { kind: 's3', bucket: 'my-bucket', prefix: 'j' },
      run: 'step-1',
      concurrency: 32,
      out: 'o.jsonl',
    });
  });

  it.each([
    [[], /Give a payload, or --payloads FILE/],
    [['{}', '--payloads', 'p'], /a payload or --payloads/],
    [['{}', '--journal', 'j'], /no --journal without --payloads/],
    [['{}', '--out', 'j'], /no --out without --payloads/],
    [['{}', '--max-failures', '3'], /no --max-failures without --payloads/],
    [
      ['--payloads', 'p', '--max-failures', '100%'],
      /a count such as 5, a share such as 0.2 or 20%, or "none"/,
    ],
    [['--payloads', 'p', '--max-failures', '-1'], /a count such as 5/],
    [['--payloads', 'p', '--session-id', 'x'.repeat(33)], /no --session-id beside --payloads/],
    [['--payloads', 'p', '--run', 'r'], /--journal beside --run/],
    [['--payloads', 'p', '--journal', 'j', '--run', 'a/b'], /--run .*id of a run/],
    [['--payloads', 'p', '--concurrency', '0'], /at least 1|from 1/],
  ])('refuses %j', async (flags, message) => {
    const { code, ran, invoke, errors } = await parse('invoke', ...flags);
    expect({ code, ran, invoke }).toEqual({ code: 2, ran: undefined, invoke: undefined });
    expect(errors).toMatch(message);
  });
});

describe('commands about runs', () => {
  it.each<[string, string, object]>([
    ['runs', 'runRuns', { json: false }],
    ['runs --journal d --json', 'runRuns', { journal: { kind: 'folder', directory: 'd' }, json: true }],
    [
      'resume r --payloads p --out o --concurrency 3 --max-failures none --set t=1',
      'runResume',
      {
        run: 'r',
        payloads: 'p',
        out: 'o',
        concurrency: 3,
        maxFailures: Infinity,
        storeCheck: true,
        set: { t: 1 },
      },
    ],
    ['stop r', 'runStop', { run: 'r', dryRun: false, force: false, json: false }],
    ['stop --all --dry-run --force', 'runStop', { run: undefined, dryRun: true, force: true, json: false }],
    ['gc', 'runGc', { olderThan: 604_800_000, unfinished: false, dryRun: false, json: false }],
    [
      'gc --older-than 12h --unfinished',
      'runGc',
      { olderThan: 43_200_000, unfinished: true, dryRun: false, json: false },
    ],
  ])('%s', async (line, name, options) => {
    const { ran, errors } = await parse(...line.split(' '));
    expect(errors).toBe('');
    expect(ran).toEqual([name, options]);
  });

  it.each([
    ['resume r', /--payloads/],
    ['resume --payloads p', /missing required argument 'run'/],
    ['stop', /a run or --all/],
    ['stop r --all', /a run or --all/],
    ['stop ../r', /id of a run/],
    ['gc --older-than 7', /7d, 12h/],
    ['runs --journal gs://x', /--journal .*s3:\/\/bucket/],
  ])('refuses %s', async (line, message) => {
    const { code, ran, errors } = await parse(...line.split(' '));
    expect({ code, ran }).toEqual({ code: 2, ran: undefined });
    expect(errors).toMatch(message);
  });
});

describe('art gateway', () => {
  it('takes what trainers pass to rllm-model-gateway', async () => {
    const ofSlime =
      'gateway --port 9090 --host 10.0.0.1 --log-level warning --use-sglang --model /m --sglang-tool-call-parser qwen ' +
      '--sglang-reasoning-parser qwen3 --cumulative-token-mode --renderer-family qwen --db-path /tmp/g.db';
    expect((await parse(...ofSlime.split(' '))).ran).toEqual([
      'runGateway',
      {
        port: 9_090,
        host: '10.0.0.1',
        logLevel: 'warning',
        useSglang: true,
        model: '/m',
        sglangToolCallParser: 'qwen',
        sglangReasoningParser: 'qwen3',
        cumulativeTokenMode: true,
        rendererFamily: 'qwen',
        dbPath: '/tmp/g.db',
        json: false,
      },
    ]);
    const ofVerl =
      'gateway --host 0.0.0.0 --port 0 --store memory --worker http://a:1 --worker http://b:2/v1';
    expect((await parse(...ofVerl.split(' '))).ran?.[1]).toMatchObject({
      store: 'memory',
      worker: ['http://a:1', 'http://b:2/v1'],
    });
  });

  it.each([
    [['--worker', 'a:1'], /http\(s\) URL of a worker/],
    [['--store', 'redis'], /memory or disk/],
    [['--log-level', 'loud'], /'debug', 'info', 'warn'/],
    [['--port', '70000'], /from 0 to 65535, got 70000/],
    [['--port', 'high'], /`--port <number>` to be a number, got "high"/],
  ])('refuses %j', async (flags, message) => {
    const { code, errors } = await parse('gateway', ...flags);
    expect(code).toBe(2);
    expect(errors).toMatch(message);
  });
});

describe('art collect', () => {
  it('has defaults', async () => {
    const { ran } = await parse('collect', 'agent.ts', '--base-url', 'http://127.0.0.1:8000');
    expect(ran).toEqual([
      'runCollect',
      {
        agent: ['agent.ts'],
        sessions: 'server',
        baseUrl: 'http://127.0.0.1:8000',
        expId: 'collect',
        concurrency: 64,
        state: '.art/collect',
        host: '127.0.0.1',
        port: 9_292,
        otel: false,
        stdio: false,
        pythonPath: false,
        cumulativeTokenMode: false,
        json: false,
      },
    ]);
  });

  it.each([
    ['--sessions', 'threads'],
    ['--base-url', 'nowhere'],
    ['--port', '70000'],
    ['--concurrency', '0'],
  ])('refuses %s %s', async (...flags) => {
    expect(await parse('collect', 'agent.ts', ...flags)).toMatchObject({ code: 2 });
  });
});

describe('--reach session', () => {
  const arn = ['--agent-runtime-arn', 'arn'];
  const gateway = ['--gateway', 'http://127.0.0.1:9090'];

  it.each([
    ['runBatch', ['invoke', '--payloads', 'p.jsonl', ...gateway]],
    ['runInvoke', ['invoke', '{}', ...gateway]],
    ['runCollect', ['collect', ...arn, ...gateway]],
    ['runEval', ['eval', ...arn, ...gateway, '--tasks', 't.jsonl']],
    ['runTrain', ['train', ...arn, '--on', 'local', '--tasks', 't.jsonl']],
  ])('is taken by %s', async (name, words) => {
    const { ran } = await parse(...words, '--reach', 'session');
    expect(ran).toEqual([name, expect.objectContaining({ reach: 'session' })]);
    expect((await parse(...words)).ran?.[1]).not.toHaveProperty('reach');
    expect(await parse(...words, '--reach', 'tunnel')).toMatchObject({ code: 2, ran: undefined });
  });

  it('of "art invoke" needs a gateway, and no address of that for agents', async () => {
    const invoke = ['invoke', '{}', '--reach', 'session'];
    const alone = await parse(...invoke);
    expect(alone).toMatchObject({ code: 2, ran: undefined });
    expect(alone.errors).toContain('Expected `--gateway` to be given beside --reach session');
    const twice = await parse(...invoke, ...gateway, '--agent-gateway', 'http://10.0.0.5:9090');
    expect(twice).toMatchObject({ code: 2, ran: undefined });
    expect(twice.errors).toContain('Expected `--agent-gateway` to be left out beside --reach session');
  });

  it.each([
    ['collect', 'agent.ts', '--base-url', 'http://127.0.0.1:1'],
    ['eval', 'agent.ts', '--tasks', 't.jsonl'],
    ['train', 'agent.ts', '--on', 'local', '--tasks', 't.jsonl'],
  ])('is refused by "art %s" for an agent that it starts', async (...words) => {
    const context = capturedContext();
    expect(await runCli([...words, '--reach', 'session'], context)).toBe(2);
    expect(context.errors()).toMatch(
      /Expected `--reach` to be left out for an agent that this command starts/,
    );
  });
});

describe('art init', () => {
  it('takes a folder, a framework and a name, or asks for them', async () => {
    const { ran } = await parse('init', 'maths', '--framework', 'strands', '--name', '@acme/maths');
    expect(ran).toEqual([
      'runInit',
      { folder: 'maths', framework: 'strands', name: '@acme/maths', yes: false, skills: false },
    ]);
    expect((await parse('init', '--yes')).ran).toEqual([
      'runInit',
      { folder: undefined, yes: true, skills: false },
    ]);
  });

  it('names the frameworks that there are', async () => {
    const { code, errors } = await parse('init', '--framework', 'langchain');
    expect(code).toBe(2);
    expect(errors).toContain(
      'Allowed choices are openai, strands, vercel-ai, mastra, langgraph, openai-agents',
    );
  });
});

describe('art eval', () => {
  it('takes thresholds, an agent here or a runtime there', async () => {
    const line =
      'eval agent.ts --fast --tasks t.jsonl --samples 4 --min-pass-at 1=0.7 --min-pass-at 4=90% --failure-reward none --max-failures 20% --confident';
    const words = line.split(' ').filter((word) => word !== '--fast');
    const { ran, errors } = await parse(...words);
    expect(errors).toBe('');
    expect(ran).toEqual([
      'runEval',
      {
        agent: ['agent.ts'],
        tasks: 't.jsonl',
        samples: 4,
        minPassAt: { 1: 0.7, 4: 0.9 },
        failureReward: 'none',
        maxFailures: 0.2,
        confident: true,
        gateway: undefined,
        watch: false,
        otel: false,
        json: false,
      },
    ]);
    expect((await parse('eval', '--no-gateway', 'a.ts', '--tasks', 't')).ran?.[1]).toMatchObject({
      gateway: false,
    });
  });

  it.each([
    ['eval', 'agent.ts'],
    ['eval', '--tasks', 't.jsonl'],
    ['eval', 'agent.ts', '--agent-runtime-arn', 'arn', '--tasks', 't.jsonl'],
    ['eval', 'agent.ts', '--tasks', 't.jsonl', '--bucket', 'my-bucket'],
    ['eval', 'agent.ts', '--tasks', 't.jsonl', '--min-pass-at', '0.7'],
    ['eval', 'agent.ts', '--tasks', 't.jsonl', '--min-pass-at', '0=0.7'],
    ['eval', 'agent.ts', '--tasks', 't.jsonl', '--min-pass-at', '1=170%'],
    ['eval', 'agent.ts', '--tasks', 't.jsonl', '--mock-model', 'm.ts', '--base-url', 'http://a/v1'],
    ['eval', '--agent-runtime-arn', 'arn', '--tasks', 't.jsonl', '--mock-model', 'm.ts'],
    ['eval', '--resume', 'a', '--out', 'b'],
    ['compare', 'a'],
    ['rescore', 'a'],
    ['ctl', 'concurrency'],
    ['ctl', 'pause', '3'],
    ['ctl', 'explode'],
  ])('refuses %s %s %s %s %s %s', async (...argv) => {
    const { code, ran, errors } = await parse(...argv);
    expect({ code, ran }).toEqual({ code: 2, ran: undefined });
    expect(errors).toMatch(/^error: /);
  });
});
