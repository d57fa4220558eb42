import type { MockRequest, ReadConversation } from '../mock-request.ts';
import type { SaidTurn } from '../said-parts.ts';

/** One API of models: how its requests are read, and what it sends. All that is known of its shape is in its one file. */
export interface ModelWire {
  name: MockRequest['wire'];
  path: string;
  /** @throws WireRequestError when the request is none of this API */
  read(body: Record<string, unknown>): ReadConversation;
  whole(request: MockRequest, said: SaidTurn): object;
  /** The events of a stream, each as it goes over the wire. */
  events(request: MockRequest, said: SaidTurn): Iterable<string>;
  /** The body of an error. */
  error(status: number, message: string): object;
}
