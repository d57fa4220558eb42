import { resolve } from 'node:path';
import {
  type GatewayConfig,
  type GatewayFlag,
  gatewayFlags,
  type GatewayOptions,
  readGatewayConfig,
  startGateway,
} from '@art/gateway';
import { describeThrown, isLoopback, isRegion, refuseOption, regionExpected } from '@art/ground';
import { Command, type CommandUnknownOpts, InvalidArgumentError } from '@commander-js/extra-typings';
import { readOptionFile } from '../arguments/read-option-file.ts';
import { filledArgument } from '../arguments/text-argument.ts';
import type { Bind, CliContext } from '../cli-context.ts';
import { exitCodes } from '../exit-codes.ts';
import { signByAws } from '../connection/sign-by-aws.ts';
import { followWorkers, readWorkers } from '../gateway/follow-workers.ts';
import { formatGatewayEvent, type GatewayEvent } from '../gateway/gateway-event.ts';
import { runGateways } from '../gateway/run-gateways.ts';
import { eventWriter } from '../terminal/event-writer.ts';
import { serving, untilAborted } from '../terminal/interrupts.ts';

const examples = `
Examples:
  $ art gateway --worker http://127.0.0.1:8000
  $ art gateway --port 9090 --host 0.0.0.0 --db-path captures \\
      --worker http://10.0.0.5:8000 --worker http://10.0.0.6:8000
  $ art gateway --config gateway.yaml --log-level info
  $ art gateway --cumulative-token-mode --worker http://127.0.0.1:30000
  $ AWS_REGION=us-west-2 art gateway --sign bedrock \\
      --worker https://bedrock-runtime.us-west-2.amazonaws.com/openai/v1
  $ art gateway --port 0 --json | jq -r 'select(.event == "ready") | .url'

With --cumulative-token-mode turns of a session go on from the tokens of the
turn before, also after a restart. It takes vLLM 0.32 or SGLang 0.5.13,
which render, sample and parse; start them with their own parsers of tool
calls and reasoning.

The flags are those of rllm-model-gateway, so a trainer that starts that one
can start this one. File, environment (RLLM_GATEWAY_HOST, _PORT, _DB_PATH,
_LOG_LEVEL, _STORE, ART_GATEWAY_ADMIN_TOKEN) and flags: the later wins.
Everything else that the gateway can do is set in the file; see the page on
the gateway's configuration file.
Log lines are JSON on stdout; what is said here is on stderr, or with --json
on stdout as well.
Exit codes: 0 ended by Ctrl-C or a signal, calls finished; 2 wrong usage; 3
the port is taken, or a similar obstacle.`;

/** Values of the gateway's flags, by their names in camelCase, and of this command's own. */
export type GatewayRunOptions = Readonly<Record<string, unknown>> & {
  config?: string | undefined;
  sign?: string | undefined;
  json?: boolean | undefined;
};

function declared() {
  const command = new Command('gateway').description(
    'Stands between agents and inference servers and records exact token ids and logprobs, by session.',
  );
  for (const { flag, help, read } of gatewayFlags) {
    if (read === undefined) command.option(flag, help);
    else command.option(flag, help, asArgument(read));
  }
  return command
    .option('--config <file>', 'YAML file', filledArgument)
    .option(
      '--sign <service>',
      'sign requests to workers by AWS Signature Version 4, for a service such as bedrock in AWS_REGION',
      filledArgument,
    )
    .option('--json', 'write events as JSON lines on stdout', false)
    .addHelpText('after', examples);
}

/** Says what is wrong with an argument where the command line is read. */
function asArgument(read: NonNullable<GatewayFlag['read']>): NonNullable<GatewayFlag['read']> {
  return (text, earlier) => {
    try {
      return read(text, earlier);
    } catch (error) {
      throw new InvalidArgumentError(describeThrown(error).message);
    }
  };
}

/** The command line of `art gateway`. */
export function gatewayCommand(bind: Bind): CommandUnknownOpts {
  return declared().action(bind(runGateway));
}

/**
 * `art gateway`: serves until it is stopped, then finishes the calls that are under way.
 * @returns the exit code
 * @throws ArtError `ART_INVALID_OPTION`, `ART_PORT_TAKEN`, and what a store or a checkpoint that cannot be used says
 */
export async function runGateway(options: GatewayRunOptions, context: CliContext): Promise<number> {
  const unknownKeys: string[] = [];
  const { processes, options: resolved } = resolveGatewayRun(options, context, (key) =>
    unknownKeys.push(key),
  );
  const { startSelf, stderr } = context;
  if (processes > 1 && startSelf !== undefined)
    return await runGateways(processes, resolved, { ...context, startSelf });
  // Stdout is the log's, which is JSON as well.
  const emit = eventWriter<GatewayEvent>(context, options.json === true, formatGatewayEvent, stderr);
  return serving(context, async ({ signal }) => {
    const starting = startGateway(resolved);
    const started = await Promise.race([starting, untilAborted(signal)]);
    if (started === undefined) {
      // Many gigabytes of captures are read for minutes. Nothing was served yet, so nothing has to be finished.
      void starting.then((late) => late.close()).catch(() => undefined);
      context.exit(exitCodes.ok);
      return exitCodes.ok;
    }
    await using gateway = started;
    const url = reachableUrl(gateway.url);
    for (const message of noticesOf(options, resolved, unknownKeys)) emit({ event: 'notice', message });
    emit({
      event: 'ready',
      url,
      captures: describeStore(resolved.store),
      workers: resolved.workers?.length ?? 0,
      control: resolved.auth?.adminToken === undefined ? 'open' : 'token',
    });
    await followWorkers((ending) => readWorkers(url, resolved.auth?.adminToken, ending), emit, signal);
    emit({ event: 'stopping' });
    await gateway.close();
    emit({ event: 'stopped' });
    return exitCodes.ok;
  });
}

function* noticesOf(
  options: GatewayRunOptions,
  resolved: GatewayOptions,
  unknownKeys: readonly string[],
): Generator<string> {
  if (unknownKeys.length > 0)
    yield `${options.config}: this gateway has no ${unknownKeys.join(', ')}; what the file says of that is passed over.`;
  if (options['store'] === 'sqlite')
    yield `--store sqlite: captures are kept on disk, in a format of this gateway's own, in ${describeStore(resolved.store)}.`;
  if (options['rendererFamily'] !== undefined)
    yield '--renderer-family is not needed: later turns are continued from the tokens of earlier ones, whatever the model.';
  const parsers = [
    ['--tool-call-parser', options['sglangToolCallParser']],
    ['--reasoning-parser', options['sglangReasoningParser']],
  ].filter(([, name]) => name !== undefined);
  if (parsers.length > 0)
    yield `SGLang parses its answers itself. Start it with ${parsers.map((parser) => parser.join(' ')).join(' ')}.`;
  const { host = '127.0.0.1', auth } = resolved;
  if (!isLoopback(host) && auth?.adminToken === undefined)
    yield `Everybody who reaches ${host} can read captures and change workers. Set ART_GATEWAY_ADMIN_TOKEN to ask for a token.`;
}

function regionOf({ AWS_REGION, AWS_DEFAULT_REGION }: CliContext['env']): string {
  const region = AWS_REGION ?? AWS_DEFAULT_REGION;
  return region !== undefined && isRegion(region)
    ? region
    : refuseOption('AWS_REGION', `${regionExpected}, beside --sign`, region);
}

function describeStore(store: GatewayOptions['store']): string {
  const directory = store !== undefined && 'directory' in store ? store.directory : undefined;
  return typeof directory === 'string' ? directory : 'in memory';
}

/** `0.0.0.0` and `::` are addresses to listen on; asked from this machine, the gateway is on loopback. */
export function reachableUrl(url: string): string {
  return url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
}

/**
 * Options of the gateway: file, environment, command line, each winning over the one before.
 * @param passOver gets keys of the file that this gateway does not have
 * @returns these, and how many independent gateways are wanted
 * @throws ArtError `ART_INVALID_OPTION`
 */
export function resolveGatewayRun(
  { config, sign, json: _json, ...flags }: GatewayRunOptions,
  { cwd, env }: Pick<CliContext, 'cwd' | 'env'>,
  passOver: (key: string) => void,
): GatewayConfig {
  const text =
    config === undefined
      ? undefined
      : readOptionFile('--config', 'a YAML file that can be read', config, cwd);
  const dbPath = flags['dbPath'];
  const given = {
    ...flags,
    dbPath: typeof dbPath === 'string' && dbPath !== '' ? resolve(cwd, dbPath) : dbPath,
  };
  const { options, processes } = readGatewayConfig(text, env, given, passOver);
  // This command tells of its start, its end and its workers itself.
  return {
    processes,
    options: {
      ...options,
      ...(sign !== undefined && { sign: signByAws(sign, regionOf(env)) }),
      logLevel: options.logLevel ?? 'error',
    },
  };
}
