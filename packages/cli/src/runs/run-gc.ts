import { rm, rmdir } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { listRuns, type RunSummary } from '@art/journal';
import { ArtError } from '@art/protocol';
import { FileResultStore } from '@art/store';
import type { CliContext } from '../cli-context.ts';
import { findDevConnection } from '../connection/dev-connection.ts';
import { exitCodes } from '../exit-codes.ts';
import { interruptible } from '../terminal/interrupts.ts';
import { decideRun } from './gc-decision.ts';
import type { GcOptions } from '../commands/gc-command.ts';
import { type OpenedJournal, openJournal } from '../connection/open-journal.ts';
import { tellUnreadable } from './tell-unreadable.ts';
import { formatBytes } from '../terminal/format-bytes.ts';
import { plainJson } from '../terminal/plain-json.ts';

/**
 * `art gc`: removes runs that are finished and what killed processes left behind.
 * @param nowMs milliseconds since 1970 @default now
 * @returns the exit code
 */
export function runGc(options: GcOptions, context: CliContext, nowMs: number = Date.now()): Promise<number> {
  return interruptible(context, ({ signal }) => sweep(options, context, nowMs, signal));
}

async function sweep(
  options: GcOptions,
  context: CliContext,
  nowMs: number,
  signal: AbortSignal,
): Promise<number> {
  await using opened = await openJournal(options.journal, options.endpoint, context);
  const report = new GcReport(options, context);
  let code: number = exitCodes.ok;
  for (const run of await listRuns(opened.journal, { signal })) {
    signal.throwIfAborted();
    if ('error' in run) {
      tellUnreadable(run, context);
      code = exitCodes.infrastructure;
    } else await sweepRun(run, { opened, options, report, nowMs, signal });
  }
  await sweepFiles(opened, options, context, report, nowMs);
  report.end(opened.where);
  return code;
}

interface SweepParts {
  opened: OpenedJournal;
  options: GcOptions;
  report: GcReport;
  nowMs: number;
  signal: AbortSignal;
}

async function sweepRun(
  run: RunSummary,
  { opened, options, report, nowMs, signal }: SweepParts,
): Promise<void> {
  const { runId } = run;
  const { journal, files } = opened;
  const decision = decideRun(run, options, nowMs);
  try {
    if (decision.kind === 'remove') {
      const bytes = await files?.bytesOf(runId);
      if (!options.dryRun) await journal.remove(runId, { signal });
      report.removed({ what: 'run', name: runId, bytes });
      return;
    }
    if (decision.why !== undefined) report.kept(runId, decision.why);
    if (run.heldBy?.state !== 'dead') return;
    if (!options.dryRun) await (await journal.open(runId, { signal })).close();
    report.released(runId);
  } catch (error) {
    // Somebody has taken it up, or removed it, since the list was made.
    if (!ArtError.isInstance(error)) throw error;
    if (error.code !== 'ART_JOURNAL_LOCKED' && error.code !== 'ART_JOURNAL_NOT_FOUND') throw error;
    report.kept(runId, `was taken by another process meanwhile`);
  }
}

async function sweepFiles(
  { files }: OpenedJournal,
  { data, dryRun }: GcOptions,
  { cwd }: CliContext,
  report: GcReport,
  nowMs: number,
): Promise<void> {
  const leftovers = [
    ...((await files?.leftovers(nowMs)) ?? []),
    ...(data === undefined ? [] : await new FileResultStore({ root: resolve(cwd, data) }).leftovers(nowMs)),
  ];
  for (const { path, bytes } of leftovers) {
    if (!dryRun) await rm(path, { recursive: true, force: true });
    report.removed({ what: 'temporary', name: path, bytes });
  }
  const dev = await findDevConnection(cwd);
  // One that cannot be read may be of a newer version that runs.
  if (dev.kind !== 'stale' || dev.pid === undefined) return;
  if (!dryRun) {
    await rm(dev.path, { force: true });
    await rmdir(dirname(dev.path)).catch(() => undefined);
  }
  report.removed({ what: 'connection', name: dev.path, bytes: undefined });
}

/** What was removed; `run`s by id, all else by path. */
interface Removed {
  what: 'run' | 'temporary' | 'connection';
  name: string;
  /** Undefined where the store does not say. */
  bytes: number | undefined;
}

/** Tells of what `art gc` does, and counts it. */
class GcReport {
  readonly #options: Pick<GcOptions, 'dryRun' | 'json'>;
  readonly #context: Pick<CliContext, 'stdout' | 'stderr'>;
  #count = 0;
  #bytes = 0;

  constructor(options: Pick<GcOptions, 'dryRun' | 'json'>, context: Pick<CliContext, 'stdout' | 'stderr'>) {
    this.#options = options;
    this.#context = context;
  }

  removed({ what, name, bytes }: Removed): void {
    this.#count += 1;
    this.#bytes += bytes ?? 0;
    const { dryRun, json } = this.#options;
    const size = bytes === undefined ? '' : `  ${formatBytes(bytes)}`;
    this.#context.stdout.write(
      json
        ? plainJson({ event: dryRun ? 'would_remove' : 'removed', what, name, bytes: bytes ?? null })
        : `${dryRun ? 'would remove' : 'removed'} ${what} ${name}${size}\n`,
    );
  }

  kept(runId: string, why: string): void {
    if (this.#options.json)
      this.#context.stdout.write(plainJson({ event: 'kept', what: 'run', name: runId, why }));
    else this.#context.stdout.write(`kept run ${runId}: it ${why}\n`);
  }

  /** A run whose holder died is nobody's from now on. */
  released(runId: string): void {
    const { dryRun, json } = this.#options;
    this.#context.stdout.write(
      json
        ? plainJson({ event: dryRun ? 'would_release' : 'released', what: 'run', name: runId })
        : `${dryRun ? 'would release' : 'released'} run ${runId}, whose process has died\n`,
    );
  }

  end(where: string): void {
    const verb = this.#options.dryRun ? 'would be removed' : 'removed';
    this.#context.stderr.write(
      this.#count === 0
        ? `Nothing to remove in ${where}.\n`
        : `${this.#count} ${verb}, ${formatBytes(this.#bytes)}.\n`,
    );
  }
}
