import { ApiError } from '../proxy/api-error.ts';
import type { ShardAnswer, ShardLink, ShardRequest } from './shard-link.ts';
import { shardOf } from './shard-of.ts';
import type { ShardProcess } from './shard-process.ts';

/** The gateway processes behind a front. */
export class Shards {
  readonly all: readonly ShardProcess[];

  constructor(all: readonly ShardProcess[]) {
    this.all = all;
  }

  /** The process of a session, and of nobody else's. */
  of(sessionId: string): ShardProcess {
    return this.all[shardOf(sessionId, this.all.length)]!;
  }

  /** Any one, preferably one that is up. */
  any(): ShardProcess {
    return this.all.find((shard) => shard.link !== undefined) ?? this.all[0]!;
  }

  /** Asks the process of a session. @throws ApiError 502, 503 */
  askOf(sessionId: string, request: ShardRequest): Promise<ShardAnswer> {
    return askShard(this.of(sessionId), request);
  }

  /** Asks all, in their order. @throws ApiError 502, 503 if one of them does not answer */
  askAll(request: ShardRequest): Promise<ShardAnswer[]> {
    return Promise.all(this.all.map((shard) => askShard(shard, request)));
  }
}

/** The failure that is told when a process ended in mid-call. */
export const processLost = {
  status: 502,
  message: 'The gateway process of this session ended in mid-call and is started again. Try again.',
  code: 'gateway_process_lost',
};

/** @throws ApiError 502, 503 */
export async function askShard(shard: ShardProcess, request: ShardRequest): Promise<ShardAnswer> {
  return await reachShard(shard, (link) => askLink(link, request));
}

/** @throws ApiError 502 */
export async function askLink(link: ShardLink, request: ShardRequest): Promise<ShardAnswer> {
  try {
    return await link.ask(request);
  } catch (error) {
    throw new ApiError(processLost, error);
  }
}

/**
 * Uses the way to a process, and once more the next one where the first led nowhere: what found no connection was not
 * delivered.
 * @throws ApiError 503; what `use` throws
 */
export async function reachShard<T>(shard: ShardProcess, use: (link: ShardLink) => Promise<T>): Promise<T> {
  const link = await shard.ready();
  try {
    return await use(link);
  } catch (error) {
    if (!isNotConnected(error)) throw error;
  }
  return await use(await shard.ready(link));
}

const notConnected = new Set(['ECONNREFUSED', 'ENOENT', 'UND_ERR_CLOSED', 'UND_ERR_DESTROYED']);

function isNotConnected(error: unknown): boolean {
  const cause = error instanceof ApiError ? error.cause : error;
  return notConnected.has(String((cause as { code?: unknown } | undefined)?.code));
}
