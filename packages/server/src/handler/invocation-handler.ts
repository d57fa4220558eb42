import type { RequestContext } from '../request/request-context.ts';
import type { RequestOf, RequestSchema } from '../schema/request-schema.ts';

/**
 * Answers a production request: the return value is sent as JSON, a generator (async or not) as Server-Sent Events.
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
