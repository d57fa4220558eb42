import { resolve } from 'node:path';
import { type GatewayOptions, readGatewayConfig, startGateway } from '@art/gateway';
import { isLoopback } from '@art/protocol';
import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { countArgument, portArgument } from '../arguments/number-argument.ts';
import type { OptionsOf } from '../arguments/options-of.ts';
import { readOptionFile } from '../arguments/read-option-file.ts';
import { filledArgument, textArgument, urlArgument } from '../arguments/text-argument.ts';
import type { Bind, CliContext } from '../cli-context.ts';
import { exitCodes } from '../exit-codes.ts';
import { followWorkers, readWorkers } from '../gateway/follow-workers.ts';
import { formatGatewayEvent, type GatewayEvent } from '../gateway/gateway-event.ts';
import { runGateways } from '../gateway/run-gateways.ts';
import { eventWriter } from '../terminal/event-writer.ts';
import { serving, untilAborted } from '../terminal/interrupts.ts';

const examples = `
Examples:
  $ art gateway --worker http://127.0.0.1:8000
  $ art gateway --port 9090 --host 0.0.0.0 --db-path traces --worker http://10.0.0.5:8000 --worker http://10.0.0.6:8000
  $ art gateway --config gateway.yaml --log-level info
  $ art gateway --cumulative-token-mode --worker http://127.0.0.1:30000
  $ art gateway --port 0 --json | jq -r 'select(.event == "ready") | .url'

With --cumulative-token-mode turns of a session go on from the tokens of the turn before, also after a restart. It takes vLLM
0.32 or SGLang 0.5.13, which render, sample and parse; start them with their own parsers of tool calls and reasoning.

The flags are those of rllm-model-gateway, so a trainer that starts that one can start this one. File, environment
(RLLM_GATEWAY_HOST, _PORT, _DB_PATH, _LOG_LEVEL, _STORE, ART_GATEWAY_ADMIN_TOKEN) and flags: the later wins. Everything else
that the gateway can do is set in the file; see the page on the gateway's configuration file.
Log lines are JSON on stdout; what is said here is on stderr, or with --json on stdout as well.
Exit codes: 0 ended by Ctrl-C or a signal, calls finished; 2 wrong usage; 3 the port is taken, or a similar obstacle.`;

const storeArgument = textArgument(/^(memory|disk|sqlite|compact)$/, 'memory or disk');

function declared() {
  return new Command('gateway')
    .description(
      'Stands between agents and inference servers and records exact token ids and logprobs, by session.',
    )
    .option('--host <address>', 'address to listen on (default: 127.0.0.1)', filledArgument)
    .option(
      '--allowed-host <name>',
      "name by which agents call it, such as a tunnel's; repeatable, * is any (default: on loopback its own)",
      (name: string, previous: string[] | undefined) => [...(previous ?? []), name],
    )
    .option('--port <number>', 'port; 0 takes a free one (default: 9090)', portArgument)
    .option('--config <file>', 'YAML file', filledArgument)
    .option(
      '--worker <url>',
      'inference server; repeatable',
      (url: string, previous: string[] | undefined) => [...(previous ?? []), urlArgument(url)],
    )
    .option(
      '--processes <count>',
      'so many independent gateways, at this port and those behind it (default: 1)',
      countArgument(128),
    )
    .option('--store <kind>', 'memory, or disk ("sqlite" is taken for it) (default: memory)', storeArgument)
    .option(
      '--db-path <dir>',
      'folder of traces that are kept on disk; makes the store "disk"',
      filledArgument,
    )
    .option(
      '--log-level <level>',
      'debug, info, warning, error or critical (default: error)',
      textArgument(
        /^(trace|debug|info|warn|warning|error|fatal|critical|silent|notset)$/i,
        'debug, info, warning, error, critical or silent',
      ),
    )
    .option('--model <name>', "model's name; replaces what agents say", filledArgument)
    .option(
      '--max-model-len <tokens>',
      'accepted for compatibility; the engine knows its window',
      countArgument(1_000_000_000),
    )
    .option('--cumulative-token-mode', 'later turns continue the tokens of earlier ones')
    .option('--renderer-family <name>', 'accepted for compatibility; not needed')
    .option('--use-sglang', 'workers are SGLang unless they say otherwise (default: each is asked)')
    .option(
      '--sglang-tool-call-parser <name>',
      'accepted for compatibility; start SGLang with it',
      filledArgument,
    )
    .option(
      '--sglang-reasoning-parser <name>',
      'accepted for compatibility; start SGLang with it',
      filledArgument,
    )
    .option(
      '--sampling-params-priority <who>',
      'session or client: whose sampling parameters win',
      filledArgument,
    )
    .option(
      '--admin-token <token>',
      'ask for it on control routes; ART_GATEWAY_ADMIN_TOKEN does not show it to others',
      filledArgument,
    )
    .option('--session-keys', "model calls want their session's api_key")
    .option('--json', 'write events as JSON lines on stdout', false)
    .addHelpText('after', examples);
}

/** The flags of rllm-model-gateway, and what only this one has. */
export type GatewayRunOptions = OptionsOf<typeof declared>;

/** The command line of `art gateway`. */
export function gatewayCommand(bind: Bind): CommandUnknownOpts {
  return declared().action(bind(runGateway));
}

/**
 * `art gateway`: serves until it is told to end, then finishes the calls that are under way.
 * @returns the exit code
 * @throws ArtError `ART_INVALID_OPTION`, `ART_PORT_TAKEN`, and what a store or a checkpoint that cannot be used says
 */
export async function runGateway(options: GatewayRunOptions, context: CliContext): Promise<number> {
  const { json, ...given } = options;
  const unknownKeys: string[] = [];
  const { processes, options: resolved } = resolveGatewayRun(given, context, (key) => unknownKeys.push(key));
  const { startSelf, stderr } = context;
  if (processes > 1 && startSelf !== undefined)
    return await runGateways(processes, resolved, { ...context, startSelf });
  // Stdout is the log's, which is JSON as well.
  const emit = eventWriter<GatewayEvent>(context, json, formatGatewayEvent, stderr);
  return serving(context, async ({ signal }) => {
    const starting = startGateway(resolved);
    const started = await Promise.race([starting, untilAborted(signal)]);
    if (started === undefined) {
      // Many gigabytes of traces are read for minutes. Nothing was served yet, so nothing has to be finished.
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
      traces: describeStore(resolved.store),
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
  if (options.store === 'sqlite')
    yield `--store sqlite: traces are kept on disk, in a format of this gateway's own, in ${describeStore(resolved.store)}.`;
  if (options.rendererFamily !== undefined)
    yield '--renderer-family is not needed: later turns are continued from the tokens of earlier ones, whatever the model.';
  const { sglangToolCallParser: tools, sglangReasoningParser: reasoning } = options;
  if (tools !== undefined || reasoning !== undefined) {
    const flags = [tools && `--tool-call-parser ${tools}`, reasoning && `--reasoning-parser ${reasoning}`];
    yield `SGLang parses its answers itself. Start it with ${flags.filter((flag) => flag !== undefined).join(' ')}.`;
  }
  const { host = '127.0.0.1', auth } = resolved;
  if (!isLoopback(host) && auth?.adminToken === undefined)
    yield `Everybody who reaches ${host} can read traces and change workers. Set ART_GATEWAY_ADMIN_TOKEN to ask for a token.`;
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
  { config, adminToken, sessionKeys, ...flags }: Omit<GatewayRunOptions, 'json'>,
  { cwd, env }: Pick<CliContext, 'cwd' | 'env'>,
  passOver: (key: string) => void,
): { processes: number; options: GatewayOptions } {
  const dbPath = flags.dbPath === undefined ? undefined : resolve(cwd, flags.dbPath);
  const text =
    config === undefined
      ? undefined
      : readOptionFile('--config', 'a YAML file that can be read', config, cwd);
  const { options, processes } = readGatewayConfig(text, env, { ...flags, dbPath }, passOver);
  const auth = {
    ...options.auth,
    ...(adminToken !== undefined && { adminToken }),
    ...(sessionKeys !== undefined && { sessionKeys }),
  };
  return {
    processes,
    options: {
      ...options,
      ...(Object.keys(auth).length > 0 && { auth }),
      // This command tells of its start, its end and its workers itself.
      logLevel: options.logLevel ?? 'error',
    },
  };
}
