/** A wire that engines do not speak themselves and that is therefore translated to their chat wire. */
export type TranslatedWire = 'responses' | 'messages';

/** An error of the engine, or of the way to it, that ends a stream which had begun. */
export interface StreamFailure {
  message: string;
  /** The HTTP status that the agent would have got, had the stream not begun. */
  status: number;
}

/**
 * One answer on its way from the engine's chat stream to the agent's wire. Every method returns SSE text (whole events,
 * possibly none) which the agent is to get at once. After `finish` or `fail` every call returns nothing.
 */
export interface WireStream {
  /**
   * Takes the JSON of one `data:` line. `[DONE]` is not JSON and is not given; the `usage` chunk is. An error that the
   * engine sends inside its stream becomes the wire's own, and ends the stream.
   */
  push(chunkJson: string): string;
  /** The engine's stream has come to its end. Where no choice had finished, that is a failure and is sent as one. */
  finish(): string;
  /** The engine, or the way to it, broke off. */
  fail(failure: StreamFailure): string;
}

/**
 * One request of an agent, ready for the engine's `/v1/chat/completions`, with the way back for its answer.
 * Pure: it neither waits nor keeps anything outside itself, but for {@link WireTranslationOptions.items}.
 */
export interface WireTranslation {
  /**
   * The body for the engine: JSON text. Every value of the agent's body that is kept is its own text spliced through,
   * so numbers, escapes, tool schemas and the order of their fields are as they came.
   */
  readonly chatBody: string;
  /** True if the agent asked for a stream. `chatBody` then has `stream` and asks for the usage chunk. */
  readonly stream: boolean;
  /**
   * A whole chat reply in the agent's wire. `stop_reason` and `matched_stop` of its choice are read where they were left in.
   * @throws WireReplyError where it is not a chat reply
   */
  reply(chat: string): string;
  openStream(): WireStream;
  /** An error body in the agent's wire. */
  error(status: number, message: string): string;
}

/** Dependencies of a translation. */
export interface WireTranslationOptions {
  /** Makes the part of an id that has to be unique: letters and digits. @default a random UUID without its dashes */
  newId?: (() => string) | undefined;
  /** Milliseconds since the Unix epoch. @default Date.now */
  now?: (() => number) | undefined;
  /**
   * Where output items are kept for requests that name them by id, as the Vercel AI SDK's `openai()` does unless it gets
   * `store: false`. Give every translation of a server the same one. Responses only.
   * @default none: such requests are refused
   */
  items?: ResponseItems | undefined;
}

/** Output items of the Responses wire by their ids, each as JSON text. */
export interface ResponseItems {
  remember(id: string, item: string): void;
  recall(id: string): string | undefined;
}
