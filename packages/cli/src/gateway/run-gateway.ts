import { type GatewayOptions, startGateway } from '@art/gateway';
import { isLoopback } from '../connection/is-loopback.ts';
import type { CliContext } from '../cli-context.ts';
import { exitCodes } from '../exit-codes.ts';
import { listenForInterrupts, untilAborted } from '../terminal/interrupts.ts';
import { createPaint } from '../terminal/paint.ts';
import { plainJson } from '../terminal/plain-json.ts';
import { formatGatewayEvent, type GatewayEvent } from './gateway-event.ts';
import type { GatewayRunOptions } from '../commands/gateway-command.ts';
import { readWorkers, WorkerFollower } from './worker-follower.ts';
import { resolveGatewayRun } from './resolve-gateway-run.ts';
import { runGateways } from './run-gateways.ts';

const lookIntervalMs = 1_000;

/**
 * `art gateway`: serves until it is told to end, then finishes the calls that are under way.
 * @returns the exit code
 * @throws ArtError `ART_INVALID_OPTION`, `ART_PORT_TAKEN`, and what a store or a checkpoint that cannot be used says
 */
export async function runGateway(options: GatewayRunOptions, context: CliContext): Promise<number> {
  const { json, ...given } = options;
  const unknownKeys: string[] = [];
  const { processes, options: resolved } = resolveGatewayRun(
    given,
    context,
    (key) => void unknownKeys.push(key),
  );
  const { startSelf } = context;
  if (processes > 1 && startSelf !== undefined)
    return await runGateways(processes, resolved, { ...context, startSelf });
  const { stdout, stderr, env } = context;
  const paint = createPaint(stderr, env);
  const emit = (event: GatewayEvent): void => {
    // Stdout is the log's, which is JSON as well.
    if (json) stdout.write(plainJson(event));
    else stderr.write(formatGatewayEvent(event, paint));
  };
  using interrupts = listenForInterrupts(context);
  const starting = startGateway(resolved);
  const started = await Promise.race([starting, untilAborted(interrupts.signal)]);
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
  {
    await using follower = new WorkerFollower({
      read: (signal) => readWorkers(url, resolved.auth?.adminToken, signal),
      emit,
      intervalMs: lookIntervalMs,
    });
    await follower.start();
    await untilAborted(interrupts.signal);
    emit({ event: 'stopping' });
  }
  await gateway.close();
  emit({ event: 'stopped' });
  return exitCodes.ok;
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
