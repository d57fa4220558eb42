import { describeThrown, folderHolder, refuseOption } from '@art/ground';
import { type RegisteredSession, SessionRegister } from '@art/train';
import type { TrainingService } from '@art/train/steps';
import { sagemakerSessions } from '@art/train-sagemaker';
import { tinkerSessions } from '@art/train-tinker';
import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import type { Bind, CliContext } from '../cli-context.ts';
import { exitCodes } from '../exit-codes.ts';
import { eventWriter } from '../terminal/event-writer.ts';
import { interruptible } from '../terminal/interrupts.ts';
import { printableText } from '../terminal/printable-text.ts';

interface ListOptions {
  json: boolean;
}

interface StopOptions {
  sessions: string[];
  all: boolean;
  json: boolean;
}

/** The command line of `art train list`. */
export function trainListCommand(bind: Bind): CommandUnknownOpts {
  const run = bind(runTrainList);
  return new Command('list')
    .description('Lists the remote training sessions that this machine opened and has not stopped.')
    .option('--json', 'write a JSON object for each', false)
    .action((flags) => run(flags));
}

/** The command line of `art train stop`. */
export function trainStopCommand(bind: Bind): CommandUnknownOpts {
  const run = bind(runTrainStop);
  return new Command('stop')
    .description('Stops remote training sessions, which cost money until they are stopped.')
    .argument('[sessions...]', 'names, as "art train list" has them')
    .option('--all', 'every session of this machine, also those of runs under way', false)
    .option('--json', 'write a JSON object for each', false)
    .action((sessions, flags) => run({ ...flags, sessions }));
}

type SessionEvent = { event: 'session' } & RegisteredSession & {
    state: 'running' | 'ended' | 'unknown';
    /** The process that trains in its folder. */
    pid: number | null;
    isHeld: boolean;
  };

/** `art train list`. @returns the exit code */
export function runTrainList(
  { json }: ListOptions,
  context: CliContext,
  register = new SessionRegister(),
): Promise<number> {
  return interruptible(context, async ({ signal }) => {
    const tell = eventWriter<SessionEvent>(context, json, formatSession);
    const sessions = register.open();
    for (const session of sessions) {
      const state = await sessionsOf(session, context)
        .state(session, signal)
        .catch(() => 'unknown' as const);
      // Somebody else stopped it, or its service did.
      const holder = folderHolder(session.directory);
      if (state === 'ended' && holder === undefined) register.stopped(session.name);
      tell({ event: 'session', ...session, state, pid: holder?.pid ?? null, isHeld: holder !== undefined });
    }
    if (sessions.length === 0 && !json) context.stdout.write('No training session is open.\n');
    return exitCodes.ok;
  });
}

/**
 * `art train stop`. A session that cannot be stopped keeps none of the others.
 * @returns the exit code
 */
export function runTrainStop(
  { sessions: names, all, json }: StopOptions,
  context: CliContext,
  register = new SessionRegister(),
  serviceOf: typeof sessionsOf = sessionsOf,
): Promise<number> {
  return interruptible(context, async ({ signal }) => {
    const known = register.open();
    if (!all && names.length === 0) refuseOption('sessions', 'a name of a session, or --all', undefined);
    const unknown = names.find((name) => !known.some((session) => session.name === name));
    if (unknown !== undefined) refuseOption('sessions', 'names that "art train list" has', unknown);
    const tell = eventWriter<{ event: 'stopped'; name: string }>(
      context,
      json,
      ({ name }) => `${name} is stopped.\n`,
    );
    let code: number = exitCodes.ok;
    for (const session of all ? known : known.filter(({ name }) => names.includes(name))) {
      signal.throwIfAborted();
      try {
        await serviceOf(session, context).stop(session, signal);
      } catch (error) {
        signal.throwIfAborted();
        context.stderr.write(
          `${session.name} could not be stopped, and may cost money until it is: ${printableText(describeThrown(error).message)}\n`,
        );
        code = exitCodes.infrastructure;
        continue;
      }
      register.stopped(session.name);
      tell({ event: 'stopped', name: session.name });
    }
    return code;
  });
}

function sessionsOf(
  { service, place }: RegisteredSession,
  { env }: Pick<CliContext, 'env'>,
): Pick<TrainingService, 'state' | 'stop'> {
  if (service === 'sagemaker') return sagemakerSessions({ region: place['region'] ?? '' });
  if (service === 'tinker')
    return tinkerSessions({ apiKey: env['TINKER_API_KEY'] ?? 'none', baseUrl: place['address'] });
  // Sessions of this machine end with their process.
  return { state: () => Promise.resolve('ended'), stop: () => Promise.resolve() };
}

function formatSession({
  name,
  service,
  state,
  isHeld,
  pid,
  directory,
  openedAt,
  place,
}: SessionEvent): string {
  const where = Object.values(place).join(', ');
  const holder = isHeld
    ? `process ${pid ?? 'unknown'} trains in its folder`
    : 'its process has ended: stop the session';
  return `${name}  ${service} (${where})  ${state}  since ${openedAt}\n  ${directory}; ${state === 'ended' ? 'nothing to do' : holder}\n`;
}
