import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ArtError } from '@art/protocol';

const shardName = /^shard-\d+-of-(\d+)$/;
const segmentName = /^\d+\.seg$/;

/** The part of a directory of traces that one of several processes has for itself. */
export function shardDirectory(directory: string, index: number, count: number): string {
  return join(directory, `shard-${index}-of-${count}`);
}

/**
 * Makes sure that a directory of traces is used by as many processes as before: with another number its sessions would
 * belong to other processes than those that have their traces.
 * @throws ArtError `ART_INVALID_OPTION`, `ART_GATEWAY_STORE_FAILED`
 */
export async function checkShardLayout(directory: string, processes: number): Promise<void> {
  const names = await namesIn(directory);
  const counts = names.flatMap((name) => shardName.exec(name)?.[1] ?? []).map(Number);
  if (names.some((name) => segmentName.test(name))) counts.push(1);
  const other = counts.find((count) => count !== processes);
  if (other === undefined) return;
  throw new ArtError({
    code: 'ART_INVALID_OPTION',
    message: `Expected \`processes\` to be ${other}, as the traces in ${directory} were stored by so many, got ${processes}. Keep the number, or choose another directory.`,
  });
}

async function namesIn(directory: string): Promise<string[]> {
  try {
    return await readdir(directory);
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') return [];
    throw new ArtError({
      code: 'ART_GATEWAY_STORE_FAILED',
      message: `Expected ${directory} to be a directory of traces: ${(error as Error).message}`,
      cause: error,
    });
  }
}
