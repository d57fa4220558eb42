import assert from 'node:assert/strict';
import type { FuzzTarget } from '@art/tooling/fuzz';
import fc from 'fast-check';
import { splitCommandLine } from '../command/split-command-line.ts';
import { jsonBody } from '../http/json-body.ts';
import { ServiceFault } from '../service/service-fault.ts';

/** Fails for any error but the one that a caller can act on. */
function typed<Value>(act: () => Value, isExpected: (error: unknown) => boolean): Value | undefined {
  try {
    return act();
  } catch (error) {
    if (!isExpected(error)) throw error;
    return undefined;
  }
}

export const smallTexts: FuzzTarget = {
  name: 'JSON bodies, command lines',
  share: 0.15,
  run: async (options) => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 60 }),
      fc.json().map((text) => new TextEncoder().encode(text)),
    );
    fc.assert(
      fc.property(bytes, fc.string({ unit: 'binary' }), (raw, text) => {
        const read = typed(
          () => jsonBody(Buffer.from(raw)),
          (error) => error instanceof ServiceFault && error.httpStatus === 400,
        );
        if (read !== undefined && raw.length > 0) assert.equal(typeof read, 'object');
        const words = splitCommandLine(text);
        if (words !== undefined) assert(words.join('').length <= text.length);
      }),
      options,
    );
  },
};
