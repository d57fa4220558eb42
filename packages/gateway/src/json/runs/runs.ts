import { runsWasm } from './runs-wasm.ts';

// The memory that `runs.wat` works in.
const place = { state: 0, powers: 64, window: 1_024, output: 131_072 };
const largestPower = 40;
const smallestWindowBytes = 2_048;
const largestWindowBytes = 65_536;

// Node's types leave it to those of browsers.
declare const WebAssembly:
  | {
      Module: new (bytes: Uint8Array) => object;
      Instance: new (module: object) => { exports: unknown };
    }
  | undefined;

/** Reads what is in the memory from `start` on; where it stopped. */
type ReadRun = (start: number, end: number) => number;

interface Exports {
  memory: { buffer: ArrayBuffer };
  tokenIds: ReadRun;
  logprobs: ReadRun;
}

/** Where a run of items ended. */
export interface RunEnd {
  /** The first byte that was not read. */
  at: number;
  /** Whether that is behind an item; otherwise it is in front of one. */
  isBehindItem: boolean;
}

/**
 * Reads runs of items that are spelled as engines spell them, with WebAssembly: such items are nearly all that a captured
 * reply consists of, and looking at them byte by byte is what most of a call's time was spent on. Any other item ends a run,
 * and is left to the scanner.
 */
export class Runs {
  readonly #exports: Exports;
  readonly #bytes: Uint8Array;
  readonly #state: Int32Array;
  readonly #ids: Int32Array;
  readonly #logprobs: Float64Array;

  constructor(webAssembly: NonNullable<typeof WebAssembly>) {
    const module = new webAssembly.Module(Buffer.from(runsWasm, 'base64'));
    this.#exports = new webAssembly.Instance(module).exports as Exports;
    const { buffer } = this.#exports.memory;
    this.#bytes = new Uint8Array(buffer);
    this.#state = new Int32Array(buffer, place.state, 2);
    this.#ids = new Int32Array(buffer, place.output);
    this.#logprobs = new Float64Array(buffer, place.output);
    const powers = new Float64Array(buffer, place.powers, 2 * (largestPower + 1));
    for (let exponent = 0; exponent <= largestPower; exponent += 1) {
      // The nearest double, and what it lacks.
      const nearest = Number(`1e${exponent}`);
      powers[exponent * 2] = nearest;
      powers[exponent * 2 + 1] = Number(10n ** BigInt(exponent) - BigInt(nearest));
    }
  }

  /**
   * Token ids, each with a comma behind it: never the last one of a list.
   * @param take gets what was read, which is valid until it returns
   */
  tokenIds(bytes: Buffer, start: number, end: number, take: (ids: Int32Array) => void): RunEnd {
    return this.#read(bytes, start, end, this.#exports.tokenIds, (count) =>
      take(this.#ids.subarray(0, count)),
    );
  }

  /** Items of `logprobs.content`. @param take as above; NaN for an item without a logprob */
  logprobs(bytes: Buffer, start: number, end: number, take: (logprobs: Float64Array) => void): RunEnd {
    return this.#read(bytes, start, end, this.#exports.logprobs, (count) =>
      take(this.#logprobs.subarray(0, count)),
    );
  }

  // In windows, so that the memory stays small and near. They grow: most lists are short, most bytes are in long ones.
  #read(bytes: Buffer, start: number, end: number, read: ReadRun, take: (count: number) => void): RunEnd {
    let at = start;
    let windowBytes = smallestWindowBytes;
    for (;;) {
      const size = Math.min(windowBytes, end - at);
      const reachesEnd = at + size >= end;
      bytes.copy(this.#bytes, place.window, at, at + size);
      at += read(place.window, place.window + size) - place.window;
      const [count = 0, isBehindItem] = this.#state;
      if (count > 0) take(count);
      // An item that goes beyond its window is seen whole by the next one, which begins with it.
      if (count === 0 || isBehindItem === 1 || reachesEnd) {
        return { at, isBehindItem: isBehindItem === 1 };
      }
      windowBytes = Math.min(windowBytes * 4, largestWindowBytes);
    }
  }
}

/** So many tries in vain tell that a list is spelled otherwise throughout: its other items are not to be tried. */
export const mostMisses = 4;

let shared: Runs | null | undefined;

/** One for the whole thread, as nothing in it outlives a call. undefined where V8 runs without WebAssembly (`--jitless`). */
export function sharedRuns(): Runs | undefined {
  shared ??= typeof WebAssembly === 'undefined' ? null : new Runs(WebAssembly);
  return shared ?? undefined;
}
