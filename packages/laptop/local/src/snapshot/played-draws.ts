import { createHash } from 'node:crypto';
import { threadId } from 'node:worker_threads';
import { replaceDraws } from '@art/ground/draws';
import type { SnapshotRecord } from './snapshot-record.ts';

/** Bytes that are the same in every process: a hash of a name and a count. */
class PlayedStream {
  #name: string;
  #count = 0;
  #block = Buffer.alloc(0);

  constructor(name: string) {
    this.#name = name;
  }

  restart(name: string): void {
    this.#name = name;
    this.#count = 0;
    this.#block = Buffer.alloc(0);
  }

  fill(view: Uint8Array): void {
    for (let offset = 0; offset < view.length;) {
      if (this.#block.length === 0) {
        this.#block = createHash('sha512').update(`${this.#name} ${this.#count}`).digest();
        this.#count += 1;
      }
      const part = this.#block.subarray(0, view.length - offset);
      view.set(part, offset);
      offset += part.length;
      this.#block = this.#block.subarray(part.length);
    }
  }
}

/**
 * Lets `Math.random`, `node:crypto` and WebCrypto draw one recorded stream, equal in every session. At the restore it is set to one place:
 * how many draws the health checks before it made is a matter of luck here, and none in a snapshot.
 */
export function playDraws(record: SnapshotRecord): () => void {
  const stream = new PlayedStream(`start ${threadId}`);
  replaceDraws({
    fill: (view) => stream.fill(view),
    onDraw: record.isWanted
      ? (name, value) =>
          record.note({
            kind: 'draw',
            name,
            value: typeof value === 'string' || typeof value === 'number' ? value : hexOf(value),
          })
      : undefined,
  });
  return () => stream.restart(`session ${threadId}`);
}

function hexOf(value: unknown): string | undefined {
  if (!ArrayBuffer.isView(value)) return undefined;
  return Buffer.from(value.buffer, value.byteOffset, Math.min(value.byteLength, 64)).toString('hex');
}
