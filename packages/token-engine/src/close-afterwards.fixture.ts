import { afterEach } from 'vitest';

const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

/** Has something closed after the test, the last one first. */
export function closeAfterwards(close: () => Promise<void>): void {
  closers.push(close);
}
