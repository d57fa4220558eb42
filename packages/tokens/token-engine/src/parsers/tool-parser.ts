import type { ParsedToolCall } from './parsed-turn.ts';
import type { ToolSchemas } from './tool-schemas.ts';

/** The calls in a text, and the text around them. */
export interface ToolParse {
  content: string;
  calls: readonly ParsedToolCall[];
}

/** Finds the tool calls of one format. Undefined: there is a call, and it is malformed. */
export type ToolParser = (text: string, schemas: ToolSchemas) => ToolParse | undefined;

/** A format of tool calls: how to read it, and how to notice that one begins. */
export interface ToolFormat {
  parse: ToolParser;
  /** From where one of these occurs, the answer may hold calls. */
  marks: readonly string[];
  /** The same, but only where the answer begins with it. */
  openingMarks?: readonly string[] | undefined;
}

/** How a family of models marks its reasoning. */
export interface ReasoningFormat {
  open: string;
  close: string;
  /** The answer starts inside the reasoning without saying so: the template has opened it. */
  startsInside: boolean;
  /** Marks of calls that end reasoning which is never closed. */
  impliedEnds?: readonly string[] | undefined;
}
