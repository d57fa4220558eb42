/** A call of a tool that a model wrote into its answer. */
export interface ParsedToolCall {
  /** Only where the model's format has ids. */
  id?: string | undefined;
  name: string;
  /** A JSON object as text; numbers as the model spelled them. */
  arguments: string;
}

/** An answer taken apart. */
export interface ParsedTurn {
  content: string | null;
  reasoning: string | null;
  toolCalls: readonly ParsedToolCall[];
  /** The model meant to call a tool and did not keep to the format: the whole answer is in `content`, as it was written. */
  illFormed: boolean;
}

/** An answer as it was put together; what is empty was not said. */
export function parsedTurn(
  { content, reasoning }: { content: string; reasoning: string },
  toolCalls: readonly ParsedToolCall[] = [],
  illFormed = false,
): ParsedTurn {
  return { content: content || null, reasoning: reasoning || null, toolCalls, illFormed };
}

/** An answer without a word. */
export const nothingSaid = parsedTurn({ content: '', reasoning: '' });

/** Facts that a parser may look at besides the answer. */
export interface TurnContext {
  /** The request's tools, a JSON array. Without tools no calls are looked for. */
  tools?: string | undefined;
  /** The end of the prompt: some templates open the reasoning there. */
  promptEnd?: string | undefined;
}
