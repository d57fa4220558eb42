import { constants } from 'node:os';
import { resolve } from 'node:path';
import { CleanupStack, isLoopback, shownUrl } from '@art/ground';
import { AgentLightningController, CollectService, pythonFolder, serveHttp, serveLines } from '@art/collect';
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { checkReach } from '../arguments/reach-option.ts';
import type { Bind, CliContext } from '../cli-context.ts';
import { type CollectOptions, declaredCollect } from '../collect/collect-options.ts';
import { openAgents } from '../collect/open-agents.ts';
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
      /** Null where it serves stdin; with `--agent-lightning` that of its server. */
      url: string | null;
      agent: string;
      gateway: string;
      state: string;
      pythonPath: string | undefined;
    }
  | { event: 'notice'; message: string }
  | HealthEvent
  | { event: 'stopping'; sessions: 'stopped' | 'left' }
  | { event: 'stopped' };

/**
 * `art collect`: serves a trainer until it is stopped. SIGTERM leaves sessions that run elsewhere at work, for the next process;
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
    const { agentLightning: url, agentGateway: agentUrl } = options;
    const lightning = url === undefined ? undefined : { url, agentUrl, key: env['AGL_KEY'] || undefined };
    const gateway = lightning ? undefined : await openGateway(options, context, parts, state);
    const agents = await openAgents(options, context, parts, state, signal, note);
    const shared = {
      directory: state,
      client: agents.client,
      expId: options.expId,
      maxConcurrentSessions: options.concurrency,
      onNotice: note,
    };
    const service = lightning
      ? new AgentLightningController({ ...shared, ...lightning })
      : new CollectService({
          ...shared,
          gateway: gateway!.options,
          deleteCaptured: gateway!.isOwn,
          onRollout: (rollout) => watch.see(rollout),
        });
    parts.defer(async () => {
      const how = agents.areElsewhere && isTermination(interrupts) ? 'leave' : 'stop';
      emit({ event: 'stopping', sessions: how === 'leave' ? 'left' : 'stopped' });
      await service.close(how);
    });
    const ready = {
      event: 'ready',
      agent: agents.described,
      gateway: gateway?.described ?? shownUrl(url!),
      state,
      pythonPath: gateway && pythonFolder,
    } as const;
    if (service instanceof AgentLightningController) {
      emit({ ...ready, url: ready.gateway });
      await Promise.race([service.run(), untilAborted(signal), agents.failed]);
    } else if (options.stdio) {
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
        `${paint('bold', 'Collecting')} ${event.pythonPath ? 'at' : 'for'} ${paint('cyan', event.url ?? 'stdin')}`,
        `  agent     ${event.agent}`,
        `  gateway   ${event.gateway}`,
        `  state     ${event.state}`,
        event.pythonPath
          ? `  Python    PYTHONPATH=${event.pythonPath}   from art_collect import ArtCollect`
          : '',
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
