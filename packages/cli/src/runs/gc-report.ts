import type { CliContext } from '../cli-context.ts';
import { formatBytes } from '../terminal/format-bytes.ts';
import { plainJson } from '../terminal/plain-json.ts';
import type { GcOptions } from '../commands/gc-command.ts';

/** What was removed; `run`s by id, all else by path. */
export interface Removed {
  what: 'run' | 'temporary' | 'connection';
  name: string;
  /** Undefined where the store does not say. */
  bytes: number | undefined;
}

/** Tells of what `art gc` does, and counts it. */
export class GcReport {
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
