import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** The environment variable by which every process of a run is found again, no matter who started it. */
export const chaosMarker = 'ART_CHAOS_RUN';

/** Processes that carry the mark, zombies aside: they have died, and only their parent has not looked yet. */
export async function markedProcesses(mark: string): Promise<string[]> {
  const { stdout } = await promisify(execFile)('ps', ['axeww', '-o', 'pid=,stat=,command='], {
    maxBuffer: 64 * 1_024 * 1_024,
  });
  return stdout
    .split('\n')
    .filter((line) => line.includes(`${chaosMarker}=${mark}`) && !/^\s*\d+\s+Z/.test(line))
    .map((line) => line.trim().slice(0, 200));
}
