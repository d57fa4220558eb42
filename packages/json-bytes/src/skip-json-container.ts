import type { JsonScanner } from './json-scanner.ts';

/**
 * Goes past an object or array at `scanner.at`, checking its structure. The scanner's bound on depth is what keeps a hostile
 * body from the end of the stack.
 */
export function skipJsonContainer(scanner: JsonScanner): void {
  const isObject = scanner.bytes[scanner.at] === 0x7b;
  const close = isObject ? 0x7d : 0x5d;
  scanner.open();
  if (scanner.peek() !== close) {
    for (;;) {
      if (isObject) skipName(scanner);
      scanner.skipValue();
      const next = scanner.peek();
      if (next === close) break;
      if (next !== 0x2c) scanner.fail(isObject ? '"," or "}"' : '"," or "]"');
      scanner.at += 1;
    }
  }
  scanner.depth -= 1;
  scanner.at += 1;
}

function skipName(scanner: JsonScanner): void {
  if (scanner.peek() !== 0x22) scanner.fail('a member name in double quotes');
  scanner.skipString();
  if (scanner.peek() !== 0x3a) scanner.fail('":"');
  scanner.at += 1;
}
