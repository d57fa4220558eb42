import { readMember } from './read-member.ts';

// A registered symbol survives two copies of this package in one process, where `instanceof` does not.
const brand: unique symbol = Symbol.for('art.error') as never;

/** A stable code of an error. Which there are, each package declares in its `error-codes.ts`. */
export type ErrorCode = `ART_${string}`;

/** The parts of an {@link ArtError}. */
export interface ArtErrorInit {
  code: ErrorCode;
  /** The expected value, the given one, and the remedy. */
  message: string;
  cause?: unknown;
}

/** Base of every error that the toolkit throws: act on `code`, show `message`. */
export class ArtError extends Error {
  readonly code: ErrorCode;
  readonly [brand] = true;

  constructor(init: ArtErrorInit) {
    super(init.message, init.cause === undefined ? undefined : { cause: init.cause });
    this.name = new.target.name;
    this.code = init.code;
  }

  /** Recognises the toolkit's errors, also those of another copy of this package. */
  static isInstance(value: unknown): value is ArtError {
    return readMember(value, brand) === true;
  }
}
