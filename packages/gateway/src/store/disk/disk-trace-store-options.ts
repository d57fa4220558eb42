import { ArtError, describeValue } from '@art/protocol';
import type { RetentionOptions } from '../retention.ts';

/** Options of `DiskTraceStore`. */
export interface DiskTraceStoreOptions extends RetentionOptions {
  /** Made if need be, readable for its user only. It belongs to one store at a time. */
  directory: string;
  /**
   * When an append is done. `process`: the bytes are with the operating system, so that they survive `kill -9`, but not a
   * power failure. `disk`: they are on the disk as well, which costs an fsync for each group of appends.
   * @default 'process'
   */
  durability?: 'process' | 'disk' | undefined;
  /** Size at which a file of the log is followed by the next. @default 64 MiB */
  segmentBytes?: number | undefined;
  /** Traces of sessions in use that are kept in memory. @default 128 MiB */
  cacheBytes?: number | undefined;
  /** Wall clock, milliseconds since the Unix epoch. @default Date.now */
  now?: (() => number) | undefined;
}

export interface CheckedDiskOptions {
  directory: string;
  durability: 'process' | 'disk';
  segmentBytes: number;
  cacheBytes: number;
  now: () => number;
}

const mebibyte = 1_048_576;

/** @throws ArtError `ART_INVALID_OPTION` */
export function checkDiskOptions(options: DiskTraceStoreOptions): CheckedDiskOptions {
  const {
    directory,
    durability = 'process',
    segmentBytes = 64 * mebibyte,
    cacheBytes = 128 * mebibyte,
  } = options;
  if (typeof directory !== 'string' || directory === '') refuse('directory', 'a path', directory);
  if (durability !== 'process' && durability !== 'disk')
    refuse('durability', '"process" or "disk"', durability);
  if (typeof segmentBytes !== 'number' || !(segmentBytes > 0)) {
    refuse('segmentBytes', 'a number of bytes above 0', segmentBytes);
  }
  if (typeof cacheBytes !== 'number' || !(cacheBytes >= 0))
    refuse('cacheBytes', 'a number of bytes', cacheBytes);
  return { directory, durability, segmentBytes, cacheBytes, now: options.now ?? Date.now };
}

function refuse(name: string, expected: string, got: unknown): never {
  throw new ArtError({
    code: 'ART_INVALID_OPTION',
    message: `Expected ${name} to be ${expected}, got ${describeValue(got)}.`,
  });
}
