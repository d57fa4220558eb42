import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { numberOf } from './number-of.ts';
import { uuidOf } from './uuid-of.ts';

/** Where the draws of a process come from. */
export interface DrawSource {
  /** Fills the view with random bytes. */
  fill: (view: Uint8Array) => void;
  /** Called with each value that was drawn, and the name of what drew it: `Math.random`, `crypto.randomUUID`. @default nothing */
  onDraw?: ((name: string, value: unknown) => void) | undefined;
}

// Sources take each other's place, and do not stand upon each other.
const nodes = Symbol.for('@art/ground/draws');

type Call = ((...values: unknown[]) => unknown) & { [nodes]?: Call };
type Callback = (error: unknown, value: unknown) => void;

/**
 * Makes `Math.random`, the draws of `node:crypto` and those of WebCrypto take their bytes from a source, for the whole process. Imports of
 * `node:crypto` by name follow; a package that has kept a function or a pool of bytes from before keeps it.
 *
 * Node's own function runs first each time: what it refuses is refused as before.
 */
export function replaceDraws(source: DrawSource): void {
  // Where a program has put a seeded generator in its place, equal numbers are meant.
  if (isNative(Math.random)) Object.defineProperty(Math, 'random', { value: numbers(source) });
  const own = crypto as unknown as Record<string, Call | undefined>;
  const [randomBytes, randomFill, randomFillSync, randomInt, randomUUID, randomUUIDv7] = [
    'randomBytes',
    'randomFill',
    'randomFillSync',
    'randomInt',
    'randomUUID',
    'randomUUIDv7',
  ].map((name) => own[name]?.[nodes] ?? own[name]);
  const refill = (view: unknown): unknown => filled(source, view, []);
  const replacements: Record<string, Call> = {
    randomBytes: refreshed(randomBytes!, refill),
    randomFillSync: (...values) => filled(source, randomFillSync!(...values), values),
    randomFill: refreshed(randomFill!, (view, values) => filled(source, view, values)),
    randomInt: refreshed(randomInt!, (_number, [first, second]) =>
      typeof second === 'number'
        ? integerOf(source, first as number, second)
        : integerOf(source, 0, first as number),
    ),
    randomUUID: (...values) => (randomUUID!(...values), uuidFrom(source)),
    // Its first part is the time.
    ...(randomUUIDv7 && {
      randomUUIDv7: (...values) => String(randomUUIDv7(...values)).slice(0, 15) + uuidFrom(source).slice(15),
    }),
  };
  for (const older of ['pseudoRandomBytes', 'prng', 'rng'])
    if (older in crypto) replacements[older] = refreshed(randomBytes!, refill);
  for (const [name, call] of Object.entries(replacements))
    replace(crypto, name, watched(`crypto.${name}`, call, source));
  // `globalThis.crypto` and `webcrypto` are one object; `getRandomValues` of `node:crypto` calls it.
  const web = Object.getPrototypeOf(crypto.webcrypto) as Record<string, Call>;
  const [getRandomValues, webUUID] = [web['getRandomValues'], web['randomUUID']].map(
    (call) => call?.[nodes] ?? call,
  );
  const onWeb: Record<string, Call> = {
    getRandomValues(this: unknown, view) {
      return refill(Reflect.apply(getRandomValues!, this, [view]));
    },
    randomUUID(this: unknown) {
      Reflect.apply(webUUID!, this, []);
      return uuidFrom(source);
    },
  };
  for (const [name, call] of Object.entries(onWeb))
    replace(web, name, watched(`crypto.${name}`, call, source));
  syncBuiltinESMExports();
}

function numbers(source: DrawSource): Call {
  const bytes = new Uint8Array(8);
  const random = (): number => {
    // oxlint-disable-next-line unicorn/no-array-fill-with-reference-type -- it is no array
    source.fill(bytes);
    return numberOf(bytes);
  };
  // Bound, so that it passes for Node's own: another source may take its place.
  return named('random', watched('Math.random', random, source).bind(undefined));
}

/** A call that gives its value at once, or to a callback that is its last argument. */
function refreshed(original: Call, refresh: (value: unknown, values: unknown[]) => unknown): Call {
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

/** Tells of each value; of one that comes by a callback when it was asked for, without the value. */
function watched(name: string, call: Call, { onDraw }: DrawSource): Call {
  if (onDraw === undefined) return call;
  return function (this: unknown, ...values) {
    const value = Reflect.apply(call, this, values);
    onDraw(name, value);
    return value;
  };
}

/** Fills the part of a view that `randomFill` was asked for; offset and size count elements. */
function filled(source: DrawSource, view: unknown, [, offset, size]: unknown[]): unknown {
  const element = (view as Partial<Uint8Array>).BYTES_PER_ELEMENT ?? 1;
  const bytes = ArrayBuffer.isView(view)
    ? new Uint8Array(view.buffer, view.byteOffset, view.byteLength)
    : new Uint8Array(view as ArrayBuffer);
  const from = typeof offset === 'number' ? offset * element : 0;
  source.fill(bytes.subarray(from, typeof size === 'number' ? from + size * element : undefined));
  return view;
}

function uuidFrom(source: DrawSource): string {
  const bytes = Buffer.allocUnsafe(16);
  source.fill(bytes);
  return uuidOf(bytes);
}

const wholeRange = 2 ** 48;

/** Every integer of the range is as likely as another; Node takes no range above 2^48. */
function integerOf(source: DrawSource, min: number, max: number): number {
  const range = max - min;
  const fairBelow = wholeRange - (wholeRange % range);
  const bytes = Buffer.allocUnsafe(6);
  for (;;) {
    source.fill(bytes);
    const drawn = bytes.readUIntBE(0, 6);
    if (drawn < fairBelow) return min + (drawn % range);
  }
}

function replace(owner: object, name: string, call: Call): void {
  const { configurable = true, enumerable = true } = Object.getOwnPropertyDescriptor(owner, name) ?? {};
  if (!configurable) return;
  const before = (owner as Record<string, Call>)[name];
  Object.defineProperty(call, nodes, { value: before?.[nodes] ?? before });
  Object.defineProperty(owner, name, { value: named(name, call), configurable, enumerable, writable: true });
}

function named<F>(name: string, call: F): F {
  return Object.defineProperty(call, 'name', { value: name, configurable: true });
}

function isNative(call: unknown): boolean {
  return Function.prototype.toString.call(call).includes('[native code]');
}
