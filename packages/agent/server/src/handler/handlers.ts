import type { RequestContext } from '../request/request-context.ts';
import type { RequestOf, RequestSchema } from './request-schema.ts';

/**
 * The return value of a rollout handler: any object that JSON can hold, but no list. For the compiler, promises, lists
 * and streams are objects too, so the type names the members that must be absent.
 */
export type RolloutResult = object & {
  /** A finite number, or a list with one number a turn, of which trainers read the last. */
  rewards?: number | readonly number[] | undefined;
  /** The same as one number, for newer trainers. */
  reward?: number | undefined;
  then?: never;
  [Symbol.iterator]?: never;
  [Symbol.asyncIterator]?: never;
};

/**
 * Works on one rollout and returns its result: `rewards` is a number, or a list with one
 * number a turn. May be sync or async, or a generator: what it yields is dropped, and what it returns is the result. What it
 * throws becomes the rollout's error document.
 */
export type RolloutProcess<S extends RequestSchema | undefined = undefined> = (
  request: RequestOf<S>,
  context: RequestContext,
) =>
  | RolloutResult
  | Promise<RolloutResult>
  | Generator<unknown, RolloutResult>
  | AsyncGenerator<unknown, RolloutResult>;

/** The handler of rollouts: answered at once, run in the background, its result stored. */
export interface RolloutHandler<S extends RequestSchema | undefined = undefined> {
  /** Checked before anything starts; the handler gets the schema's output. Without one it gets the payload as it came. */
  requestSchema?: S;
  process: RolloutProcess<S>;
}

/**
 * Answers a production request: the return value is sent as JSON, what a generator (async or not) yields as Server-Sent Events.
 * In a rollout the generator is read to its end, what it yields is dropped, and what it returns is the result.
 * An error with `statusCode` (400 to 599) is answered with that status, any other with 500.
 */
export type InvocationProcess<S extends RequestSchema | undefined = undefined> = (
  request: RequestOf<S>,
  context: RequestContext,
) => unknown;

/** The handler of production traffic, that is of payloads without `_rollout`. */
export interface InvocationHandler<S extends RequestSchema | undefined = undefined> {
  /** Checked before the handler is called; it gets the schema's output. Without one the payload must be an object. */
  requestSchema?: S;
  process: InvocationProcess<S>;
}
