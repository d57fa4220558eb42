import { refuseOption } from '@art/protocol';
import type { Durability } from './open-files.ts';
import type { RetentionOptions } from '../retention.ts';

/** Options of `DiskTraceStore`. */
export interface DiskTraceStoreOptions extends RetentionOptions {
  /** Made if need be, readable for its user only. It belongs to one store at a time. */
  directory: string;
  /**
   * When an append is done. `process`: the bytes are with the operating system, so that they survive `kill -9`, but not a
   * power failure. `disk`: they are on the disk as well, which costs an fsync for each append.
   * @default 'process'
   */
  durability?: 'process' | 'disk' | undefined;
  /** Traces of sessions in use that are kept in memory. @default 128 MiB */
  cacheBytes?: number | undefined;
  /** Wall clock, milliseconds since the Unix epoch. @default Date.now */
  now?: (() => number) | undefined;
}

export interface CheckedDiskOptions {
  directory: string;
  durability: Durability;
  cacheBytes: number;
  now: () => number;
}

const mebibyte = 1_048_576;

/** @throws ArtError `ART_INVALID_OPTION` */
export function checkDiskOptions(options: DiskTraceStoreOptions): CheckedDiskOptions {
  const { directory, durability = 'process', cacheBytes = 128 * mebibyte } = options;
  if (typeof directory !== 'string' || directory === '') refuseOption('directory', 'a path', directory);
  if (durability !== 'process' && durability !== 'disk')
    refuseOption('durability', '"process" or "disk"', durability);
  if (typeof cacheBytes !== 'number' || !(cacheBytes >= 0))
    refuseOption('cacheBytes', 'a number of bytes', cacheBytes);
  return { directory, durability, cacheBytes, now: options.now ?? Date.now };
}
