import { rm, rmdir } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { RunSummary } from '@art/journal';
import { ArtError } from '@art/ground';
import { FileResultStore } from '@art/store';
import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { ageArgument } from '../arguments/number-argument.ts';
import type { OptionsOf } from '../arguments/options-of.ts';
import { endpointOption, journalOption } from '../arguments/shared-options.ts';
import { filledArgument } from '../arguments/text-argument.ts';
import type { Bind, CliContext } from '../cli-context.ts';
import { findDevConnection } from '../connection/dev-connection.ts';
import { type OpenedJournal, openJournal } from '../connection/open-journal.ts';
import { readableRuns } from '../connection/readable-runs.ts';
import { exitCodes } from '../exit-codes.ts';
import { eventWriter } from '../terminal/event-writer.ts';
import { formatBytes } from '../terminal/format-bytes.ts';
import { interruptible } from '../terminal/interrupts.ts';

const examples = `
Examples:
  $ art gc --dry-run                     what would be removed?
  $ art gc                               what is finished and a week old
  $ art gc --older-than 12h --unfinished
  $ art gc --data .results
      also temporary files of this store of files

Removed are finished runs, temporary files that killed processes left behind
(an hour old at least), and the .art/dev of an "art dev" that died.
Runs whose process has died are let go, so that other machines need not wait
for it. Never removed: results, a run that a process works on, and a run
with sessions that may live, for only its journal knows their ids.
Exit codes: 0 done; 2 wrong usage; 3 the journal, or one of its runs, cannot
be read.`;

function declared() {
  return new Command('gc')
    .description('Removes finished runs and what killed processes left behind, and tells of each.')
    .option(
      '--older-than <age>',
      'only runs that nothing happened to for so long: 7d, 12h, 30m',
      ageArgument,
      7 * 86_400_000,
    )
    .option('--unfinished', 'also runs that were never finished, where no session may live', false)
    .option('--dry-run', 'only tell what would be removed', false)
    .option('--data <dir>', 'also look through this store of files', filledArgument)
    .addOption(journalOption())
    .addOption(endpointOption())
    .option('--json', 'write one JSON object a line', false)
    .addHelpText('after', examples);
}

export type GcOptions = OptionsOf<typeof declared>;

/** The command line of `art gc`. */
export function gcCommand(bind: Bind): CommandUnknownOpts {
  return declared().action(bind(runGc));
}

/** Events of `art gc`, with `--json` an object a line. */
type GcEvent =
  /** `name` is the id of a run, else a path; `bytes` is null where the store does not say. */
  | {
      event: 'removed' | 'would_remove';
      what: 'run' | 'temporary' | 'connection';
      name: string;
      bytes: number | null;
    }
  | { event: 'kept'; what: 'run'; name: string; why: string }
  /** A run whose holder died is nobody's from now on. */
  | { event: 'released' | 'would_release'; what: 'run'; name: string };

/**
 * `art gc`: removes runs that are finished and what killed processes left behind.
 * @param nowMs milliseconds since 1970 @default now
 * @returns the exit code
 */
export function runGc(options: GcOptions, context: CliContext, nowMs: number = Date.now()): Promise<number> {
  return interruptible(context, async ({ signal }) => {
    await using opened = await openJournal(options.journal, options.endpoint, context);
    const tell = eventWriter<GcEvent>(context, options.json, describeEvent);
    const removed: number[] = [];
    const tellAll = async (events: AsyncIterable<GcEvent>): Promise<void> => {
      for await (const event of events) {
        tell(event);
        if ('bytes' in event) removed.push(event.bytes ?? 0);
      }
    };
    const { runs, areAll } = await readableRuns(opened.journal, context, signal);
    for (const run of runs) {
      signal.throwIfAborted();
      await tellAll(sweepRun(run, opened, options, nowMs, signal));
    }
    await tellAll(sweepFiles(opened, options, context, nowMs));
    const bytes = removed.reduce((sum, size) => sum + size, 0);
    context.stderr.write(
      removed.length === 0
        ? `Nothing to remove in ${opened.where}.\n`
        : `${removed.length} ${options.dryRun ? 'would be removed' : 'removed'}, ${formatBytes(bytes)}.\n`,
    );
    return areAll ? exitCodes.ok : exitCodes.infrastructure;
  });
}

async function* sweepRun(
  run: RunSummary,
  { journal, files }: OpenedJournal,
  options: GcOptions,
  nowMs: number,
  signal: AbortSignal,
): AsyncGenerator<GcEvent> {
  const { runId: name } = run;
  const { dryRun } = options;
  const what = 'run';
  const decision = decideRun(run, options, nowMs);
  try {
    if (decision.kind === 'remove') {
      const bytes = (await files?.bytesOf(name)) ?? null;
      if (!dryRun) await journal.remove(name, { signal });
      yield { event: dryRun ? 'would_remove' : 'removed', what, name, bytes };
      return;
    }
    if (decision.why !== undefined) yield { event: 'kept', what, name, why: decision.why };
    if (run.heldBy?.state !== 'dead') return;
    if (!dryRun) await (await journal.open(name, { signal })).close();
    yield { event: dryRun ? 'would_release' : 'released', what, name };
  } catch (error) {
    // Somebody has taken it up, or removed it, since the list was made.
    if (!ArtError.isInstance(error)) throw error;
    if (error.code !== 'ART_JOURNAL_LOCKED' && error.code !== 'ART_JOURNAL_NOT_FOUND') throw error;
    yield { event: 'kept', what, name, why: 'was taken by another process meanwhile' };
  }
}

async function* sweepFiles(
  { files }: OpenedJournal,
  { data, dryRun }: GcOptions,
  { cwd }: CliContext,
  nowMs: number,
): AsyncGenerator<GcEvent> {
  const event = dryRun ? 'would_remove' : 'removed';
  const leftovers = [
    ...((await files?.leftovers(nowMs)) ?? []),
    ...(data === undefined ? [] : await new FileResultStore({ root: resolve(cwd, data) }).leftovers(nowMs)),
  ];
  for (const { path, bytes } of leftovers) {
    if (!dryRun) await rm(path, { recursive: true, force: true });
    yield { event, what: 'temporary', name: path, bytes };
  }
  const dev = findDevConnection(cwd);
  // One that cannot be read may be of a newer version that runs.
  if (dev.kind !== 'stale' || dev.pid === undefined) return;
  if (!dryRun) {
    await rm(dev.path, { recursive: true, force: true });
    await rmdir(dirname(dev.path)).catch(() => undefined);
  }
  yield { event, what: 'connection', name: dev.path, bytes: null };
}

/** Decision of `art gc` about a run. `keep` has a reason where a user may wonder. */
type GcDecision = { kind: 'remove' } | { kind: 'keep'; why: string | undefined };

/** A run with a session that may live is never removed: its journal is all that knows of the session. */
export function decideRun(
  run: Pick<RunSummary, 'runId' | 'isFinished' | 'openSessions' | 'heldBy' | 'lastAtMs'>,
  { olderThan, unfinished }: Pick<GcOptions, 'olderThan' | 'unfinished'>,
  nowMs: number,
): GcDecision {
  const { runId, openSessions, heldBy } = run;
  if (heldBy !== undefined && heldBy.state !== 'dead')
    return keep(`is held by process ${heldBy.holder.pid} on ${heldBy.holder.host}`);
  if (nowMs - run.lastAtMs < olderThan) return keep(undefined);
  if (openSessions > 0)
    return keep(
      `has ${openSessions} ${openSessions === 1 ? 'session' : 'sessions'} that may live; "art stop ${runId}" ends them`,
    );
  if (run.isFinished || unfinished) return { kind: 'remove' };
  return keep(`is not finished; "art resume ${runId}" continues, --unfinished removes it`);
}

function keep(why: string | undefined): GcDecision {
  return { kind: 'keep', why };
}

function describeEvent(event: GcEvent): string {
  const { what, name } = event;
  const verb = event.event.replace('_', ' ');
  if ('why' in event) return `${verb} ${what} ${name}: it ${event.why}\n`;
  if (!('bytes' in event)) return `${verb} ${what} ${name}, whose process has died\n`;
  return `${verb} ${what} ${name}${event.bytes === null ? '' : `  ${formatBytes(event.bytes)}`}\n`;
}
