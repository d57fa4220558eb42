import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { fillFresh, freshBytes, freshId, freshNumber } from '@art/ground';

// A bundle may hold several copies of this module.
const installed = Symbol.for('@art/server/snapshot-safe');

type Call = (...values: unknown[]) => unknown;
type Callback = (error: unknown, value: unknown) => void;

/**
 * Makes `Math.random`, the draws of `node:crypto` and those of WebCrypto take their bytes from the kernel, for the whole process. Their own
 * generators are seeded once, so sessions that are restored from one snapshot of the process would draw the same. Imports of
 * `node:crypto` by name follow; a package that has kept a function or a pool of bytes from before keeps it. Idempotent.
 *
 * Node's own function runs first each time: what it refuses is refused as before.
 */
export function installFreshDraws(): void {
  const global = globalThis as { [installed]?: true };
  if (global[installed] === true) return;
  global[installed] = true;
  // Where a program has put a seeded generator in its place, equal numbers are meant.
  if (isNative(Math.random)) Object.defineProperty(Math, 'random', { value: named('random', freshNumber) });
  const { randomBytes, randomFill, randomFillSync, randomInt, randomUUID } = crypto as unknown as Record<
    string,
    Call
  >;
  const fresh: Record<string, Call> = {
    randomBytes: thenFresh(randomBytes!, (bytes) => (fillView(bytes), bytes)),
    randomFillSync: (...values) => filled(randomFillSync!(...values), values),
    randomFill: thenFresh(randomFill!, (view, values) => filled(view, values)),
    randomInt: thenFresh(randomInt!, (_number, [first, second]) =>
      typeof second === 'number' ? freshInteger(first as number, second) : freshInteger(0, first as number),
    ),
    randomUUID: (...values) => (randomUUID!(...values), freshId()),
  };
  const { randomUUIDv7 } = crypto as { randomUUIDv7?: Call };
  // Its first part is the time.
  if (randomUUIDv7 !== undefined)
    fresh['randomUUIDv7'] = (...values) => String(randomUUIDv7(...values)).slice(0, 15) + freshId().slice(15);
  for (const [name, call] of Object.entries(fresh)) replace(crypto, name, call);
  for (const older of ['pseudoRandomBytes', 'prng', 'rng'])
    if (older in crypto) replace(crypto, older, (...values) => fresh['randomBytes']!(...values));
  installInWebCrypto();
  syncBuiltinESMExports();
}

/** `globalThis.crypto` and `webcrypto` are one object; `getRandomValues` of `node:crypto` calls it. */
function installInWebCrypto(): void {
  const web = Object.getPrototypeOf(crypto.webcrypto) as Record<string, Call>;
  const { getRandomValues, randomUUID } = web;
  replace(web, 'getRandomValues', function (this: unknown, view) {
    Reflect.apply(getRandomValues!, this, [view]);
    fillView(view);
    return view;
  });
  replace(web, 'randomUUID', function (this: unknown) {
    Reflect.apply(randomUUID!, this, []);
    return freshId();
  });
}

/** A call that gives its value at once, or to a callback that is its last argument. */
function thenFresh(original: Call, refresh: (value: unknown, values: unknown[]) => unknown): Call {
  return (...values) => {
    const callback = values.at(-1);
    if (typeof callback !== 'function') return refresh(original(...values), values);
    const given = values.slice(0, -1);
    return original(...given, (error: unknown, value: unknown) => {
      if (error) (callback as Callback)(error, value);
      else (callback as Callback)(error, refresh(value, given));
    });
  };
}

/** Fills the part of a view that `randomFill` was asked for; offset and size count elements. */
function filled(view: unknown, [, offset, size]: unknown[]): unknown {
  const element = (view as Partial<Uint8Array>).BYTES_PER_ELEMENT ?? 1;
  const bytes = bytesOf(view);
  const from = typeof offset === 'number' ? offset * element : 0;
  fillFresh(bytes.subarray(from, typeof size === 'number' ? from + size * element : undefined));
  return view;
}

function fillView(view: unknown): void {
  fillFresh(bytesOf(view));
}

function bytesOf(view: unknown): Uint8Array {
  if (!ArrayBuffer.isView(view)) return new Uint8Array(view as ArrayBuffer);
  return new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
}

const wholeRange = 2 ** 48;

/** Every integer of the range is as likely as another; Node takes no range above 2^48. */
function freshInteger(min: number, max: number): number {
  const range = max - min;
  const fairBelow = wholeRange - (wholeRange % range);
  for (;;) {
    const drawn = freshBytes(6).readUIntBE(0, 6);
    if (drawn < fairBelow) return min + (drawn % range);
  }
}

function replace(owner: object, name: string, call: Call): void {
  const { configurable = true, enumerable = true } = Object.getOwnPropertyDescriptor(owner, name) ?? {};
  if (!configurable) return;
  Object.defineProperty(owner, name, { value: named(name, call), configurable, enumerable, writable: true });
}

function named<F>(name: string, call: F): F {
  return Object.defineProperty(call, 'name', { value: name, configurable: true });
}

function isNative(call: unknown): boolean {
  return Function.prototype.toString.call(call).includes('[native code]');
}
