export type { RedisClient } from './redis-client.ts';
export { redisShare, type RedisShareOptions } from './redis-share.ts';
