/** How a family of models marks its reasoning. */
export interface ReasoningFormat {
  open: string;
  close: string;
  /** The answer starts inside the reasoning without saying so: the template has opened it. */
  startsInside: boolean;
  /** Marks of calls that end reasoning which is never closed. */
  impliedEnds?: readonly string[] | undefined;
}

/** An answer with its reasoning parted off. */
export interface ReasoningSplit {
  reasoning: string | null;
  rest: string;
}

/**
 * Parts reasoning from the answer. Reasoning without an end, as an answer that was cut off has it, is all there is.
 * @param promptEnd where the prompt ends with the opening mark, the answer starts inside
 */
export function splitReasoning(text: string, format: ReasoningFormat, promptEnd = ''): ReasoningSplit {
  const opens = text.trimStart().startsWith(format.open);
  const inner = opens ? text.trimStart().slice(format.open.length) : text;
  const end = inner.indexOf(format.close);
  if (end >= 0) {
    return {
      reasoning: trimLines(inner.slice(0, end)) || null,
      rest: inner.slice(end + format.close.length).replace(/^[\r\n]+/, ''),
    };
  }
  const isInside = opens || format.startsInside || promptEnd.trimEnd().endsWith(format.open);
  if (!isInside) return { reasoning: null, rest: text };
  const implied = impliedEnd(inner, format) ?? inner.length;
  return { reasoning: trimLines(inner.slice(0, implied)) || null, rest: inner.slice(implied) };
}

/** Where a call begins in reasoning that is not closed; undefined where none does. */
export function impliedEnd(reasoning: string, { impliedEnds = [] }: ReasoningFormat): number | undefined {
  const places = impliedEnds.map((mark) => reasoning.indexOf(mark)).filter((at) => at >= 0);
  return places.length === 0 ? undefined : Math.min(...places);
}

function trimLines(text: string): string {
  return text.replace(/^[\r\n]+/, '').replace(/[\r\n]+$/, '');
}
