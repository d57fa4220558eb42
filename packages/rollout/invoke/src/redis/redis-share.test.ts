import { expect, it } from 'vitest';
import { redisShare, type RedisShareOptions } from './redis-share.ts';

const client = { duplicate: () => {}, call: () => {} } as never;

it.each<[string, unknown]>([
  ['options', null],
  ['client', { client: {}, processes: 2 }],
  ['processes', { client, processes: 0 }],
  ['processes', { client }],
  ['presumeDeadMs', { client, processes: 2, presumeDeadMs: 1 }],
  ['presumeDeadAfterMs', { client, processes: 2, presumeDeadAfterMs: -1 }],
])('bad %s are refused by name', (name, options) => {
  expect(() => redisShare(options as RedisShareOptions)).toThrow(
    expect.objectContaining({ code: 'ART_INVALID_OPTION', message: expect.stringContaining(name) }),
  );
});
