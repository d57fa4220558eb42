/** Answer of the model to one call, before it is cut into tokens. */
export interface EngineAnswer {
  reasoning?: string;
  content?: string;
  /** Arguments as the model wrote them. */
  toolCalls?: readonly { name: string; arguments: string }[];
  /** @default tool_calls where there are some, else stop */
  finishReason?: string;
}

/** Fault in place of an answer. */
export type EngineFault =
  /** Answers with an error in its own words. */
  | { kind: 'refuse'; status: number; message: string }
  /** Closes the connection before it answers. */
  | { kind: 'drop' }
  /** Closes it after so many bytes of the answer's body. */
  | { kind: 'cut'; afterBytes: number };
