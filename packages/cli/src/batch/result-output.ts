import type { CliContext } from '../cli-context.ts';
import { openResultFile } from './result-file.ts';

/** Where the outcomes of a run go, a line each. */
export interface ResultOutput extends AsyncDisposable {
  /** Whether the outcome of this item is there already, from an earlier process. */
  has(index: number): boolean;
  /** Resolves when the line is durable: a file that was forced to the disk, or a stream that took it. */
  write(line: string): Promise<void>;
}

/**
 * The file that is named, else stdout.
 * @throws ArtError `ART_INVALID_OPTION` for a file that has something else in it, `ART_OUTPUT_FAILED`
 */
export async function openResultOutput(
  path: string | undefined,
  runId: string,
  context: Pick<CliContext, 'cwd' | 'stdout'>,
  onNotice: (message: string) => void,
): Promise<ResultOutput> {
  if (path !== undefined) return openResultFile(path, runId, context.cwd, onNotice);
  return {
    has: () => false,
    write: (line) => Promise.resolve(void context.stdout.write(line)),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}
