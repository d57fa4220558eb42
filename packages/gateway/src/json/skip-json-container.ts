import type { JsonScanner } from './json-scanner.ts';
import { maxScanDepth } from './max-scan-depth.ts';

// Which of the open containers are objects, by depth. One for all calls: nothing in it outlives a call, and nearly every
// reply has hundreds of small arrays.
const isObject = new Uint8Array(maxScanDepth + 1);

/**
 * Goes past an object or array at `scanner.at`, checking its structure. A loop instead of recursion: a hostile body must
 * not reach the end of the stack.
 */
export function skipJsonContainer(scanner: JsonScanner): void {
  const base = scanner.depth;
  for (;;) {
    // Here a value begins.
    const byte = scanner.peek();
    if (byte === 0x7b || byte === 0x5b) {
      const opensObject = byte === 0x7b;
      scanner.open();
      if (scanner.peek() !== (opensObject ? 0x7d : 0x5d)) {
        isObject[scanner.depth] = opensObject ? 1 : 0;
        if (opensObject) skipName(scanner);
        continue;
      }
      scanner.depth -= 1;
      scanner.at += 1;
    } else if (byte === 0x22) scanner.skipString();
    else scanner.skipScalar();
    // Here a value has ended: close what it was the last of.
    for (;;) {
      if (scanner.depth === base) return;
      const inObject = isObject[scanner.depth] === 1;
      const next = scanner.peek();
      if (next === 0x2c) {
        scanner.at += 1;
        if (inObject) skipName(scanner);
        break;
      }
      if (next !== (inObject ? 0x7d : 0x5d)) scanner.fail(inObject ? '"," or "}"' : '"," or "]"');
      scanner.depth -= 1;
      scanner.at += 1;
    }
  }
}

function skipName(scanner: JsonScanner): void {
  if (scanner.peek() !== 0x22) scanner.fail('a member name in double quotes');
  scanner.skipString();
  if (scanner.peek() !== 0x3a) scanner.fail('":"');
  scanner.at += 1;
}
