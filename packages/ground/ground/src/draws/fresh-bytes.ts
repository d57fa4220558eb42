import { createHash } from 'node:crypto';
import { KernelSource } from './kernel-source.ts';

const kernel = new KernelSource();
let mask: Buffer | undefined;

/**
 * Random bytes that no other session has, also where all sessions start from one memory snapshot: from the kernel, at the call.
 * @throws ArtError `ART_NO_RANDOM_DEVICE`
 */
export function freshBytes(size: number): Buffer {
  const bytes = Buffer.allocUnsafe(size);
  fillFresh(bytes);
  return bytes;
}

/** Fills the view as {@link freshBytes} does. */
export function fillFresh(view: Uint8Array): void {
  kernel.fill(view);
  if (mask === undefined) return;
  for (let index = 0; index < view.length; index += 1) view[index]! ^= mask[index % mask.length]!;
}

/**
 * Makes all later draws of this process differ from those of another session, even if both read the same bytes. The first
 * session counts: on AgentCore a process has one.
 */
export function mixIntoDraws(sessionId: string): void {
  mask ??= createHash('sha256').update(sessionId).digest();
}
