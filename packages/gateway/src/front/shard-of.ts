import { createHash } from 'node:crypto';

/** Which of `count` processes a session belongs to: the SHA-256 of its id as a number, modulo `count`. */
export function shardOf(sessionId: string, count: number): number {
  let rest = 0;
  for (const byte of createHash('sha256').update(sessionId).digest()) rest = (rest * 256 + byte) % count;
  return rest;
}
