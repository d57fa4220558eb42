import { constants } from 'node:os';
import { resolve } from 'node:path';
import { CleanupStack, isLoopback, shownUrl } from '@art/ground';
import { AgentLightningController, CollectService, pythonFolder, serveHttp, serveLines } from '@art/collect';
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { checkReach } from '../arguments/reach-option.ts';
import type { Bind, CliContext } from '../cli-context.ts';
import { type CollectOptions, declaredCollect } from '../collect/collect-options.ts';
import { type OpenedAgents, openAgents } from '../collect/open-agents.ts';
import { openGateway } from '../collect/open-gateway.ts';
import { exitCodes } from '../exit-codes.ts';
import { formatHealth, type HealthEvent, HealthWatch } from '../health/run-watch.ts';
import { eventWriter } from '../terminal/event-writer.ts';
import { type Interrupts, serving, untilAborted } from '../terminal/interrupts.ts';
import type { Paint } from '../terminal/paint.ts';

/** The command line of `art collect`. */
export function collectCommand(bind: Bind): CommandUnknownOpts {
  const run = bind(runCollect);
  return declaredCollect().action((agent, flags) => run({ ...flags, agent }));
}

/** Events of `art collect`; with `--json` an object a line. */
type CollectEvent =
  | {
      event: 'ready';
      /** Of this service; null where it serves stdin, or takes its rollouts from the server that is its gateway. */
      url: string | null;
      agent: string;
      gateway: string;
      state: string;
      /** Null where no client in Python is needed. */
      pythonPath: string | null;
    }
  | { event: 'notice'; message: string }
  | HealthEvent
  | { event: 'stopping'; sessions: 'stopped' | 'left' }
  | { event: 'stopped' };

/**
 * `art collect`: serves a trainer until it is told to end. SIGTERM leaves sessions that run elsewhere at work, for the next process;
 * Ctrl-C stops them.
 * @returns the exit code
 * @throws ArtError `ART_INVALID_OPTION`, `ART_NO_DEV_INSTANCE`, `ART_PORT_TAKEN`; GatewayError
 */
export async function runCollect(options: CollectOptions, context: CliContext): Promise<number> {
  if (options.pythonPath) {
    context.stdout.write(`${pythonFolder}\n`);
    return exitCodes.ok;
  }
  checkReach({ ...options, hasGateway: true, isAgentHere: options.agent.length > 0 });
  const { stdout, stderr, env, cwd } = context;
  // With --stdio stdout is the trainer's.
  const json = options.json && !options.stdio;
  const emit = eventWriter<CollectEvent>(context, json, describeEvent, stderr);
  const note = (message: string): void => emit({ event: 'notice', message });
  const watch = new HealthWatch({ purpose: 'training' }, note);
  return serving(context, async (interrupts) => {
    const { signal } = interrupts;
    const state = resolve(cwd, options.state);
    await using parts = new CleanupStack();
    const closeAtEnd = (work: Pick<CollectService, 'close'>, { areElsewhere }: OpenedAgents): void =>
      parts.defer(async () => {
        const how = areElsewhere && isTermination(interrupts) ? 'leave' : 'stop';
        emit({ event: 'stopping', sessions: how === 'leave' ? 'left' : 'stopped' });
        await work.close(how);
      });
    const { agentLightning: url } = options;
    if (url !== undefined) {
      const agents = await openAgents(options, context, parts, state, signal, note);
      const controller = new AgentLightningController({
        url,
        agentUrl: options.agentGateway,
        key: env['AGL_KEY'],
        directory: state,
        client: agents.client,
        expId: options.expId,
        maxConcurrentSessions: options.concurrency,
        onNotice: note,
      });
      closeAtEnd(controller, agents);
      const agent = agents.described;
      emit({ event: 'ready', url: null, agent, gateway: shownUrl(url), state, pythonPath: null });
      await Promise.race([controller.run(), untilAborted(signal), agents.failed]);
      await parts.disposeAsync();
      emit({ event: 'stopped' });
      return exitCodes.ok;
    }
    const gateway = await openGateway(options, context, parts, state);
    const agents = await openAgents(options, context, parts, state, signal, note);
    const service = new CollectService({
      directory: state,
      client: agents.client,
      gateway: gateway.options,
      expId: options.expId,
      maxConcurrentSessions: options.concurrency,
      deleteCaptured: gateway.isOwn,
      onNotice: note,
      onRollout: (rollout) => watch.see(rollout),
    });
    closeAtEnd(service, agents);
    const ready = {
      event: 'ready',
      agent: agents.described,
      gateway: gateway.described,
      state,
      pythonPath: pythonFolder,
    } as const;
    if (options.stdio) {
      emit({ ...ready, url: null });
      await Promise.race([
        serveLines({
          service,
          input: context.stdin,
          // Waits until the line is on its way: a trainer that does not read is not worked for.
          write: (line) => new Promise((resolve) => void stdout.write(`${line}\n`, () => resolve())),
          signal,
        }),
        agents.failed,
      ]);
      context.stdin.destroy?.();
    } else {
      const token = options.token ?? env['ART_COLLECT_TOKEN'];
      const { host, port } = options;
      const server = await serveHttp({ service, host, port, token });
      parts.defer(() => server.close());
      if (!isLoopback(host) && token === undefined)
        note(`Everybody who reaches ${host} can start rollouts. Set ART_COLLECT_TOKEN to ask for a token.`);
      emit({ ...ready, url: server.url });
      await Promise.race([untilAborted(signal), agents.failed]);
    }
    await parts.disposeAsync();
    if (watch.event !== undefined) emit(watch.event);
    emit({ event: 'stopped' });
    return exitCodes.ok;
  });
}

function isTermination({ exitCode }: Interrupts): boolean {
  return exitCode === 128 + constants.signals.SIGTERM;
}

function describeEvent(event: CollectEvent, paint: Paint): string {
  switch (event.event) {
    case 'ready':
      return [
        event.pythonPath === null
          ? `${paint('bold', 'Controlling')} the rollouts of ${paint('cyan', event.gateway)}`
          : `${paint('bold', 'Collecting')} at ${paint('cyan', event.url ?? 'stdin')}`,
        `  agent     ${event.agent}`,
        `  gateway   ${event.gateway}`,
        `  state     ${event.state}`,
        ...(event.pythonPath === null
          ? []
          : [`  Python    PYTHONPATH=${event.pythonPath}   from art_collect import ArtCollect`]),
        '',
      ].join('\n');
    case 'notice':
      return `${event.message}\n`;
    case 'health':
      return formatHealth(event, undefined);
    case 'stopping':
      return event.sessions === 'left'
        ? 'Stopping; sessions work on, and the same requests continue with them.\n'
        : 'Stopping; sessions are stopped.\n';
    case 'stopped':
      return 'Stopped.\n';
  }
}
