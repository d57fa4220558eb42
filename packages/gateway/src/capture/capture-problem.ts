/** The kinds of what can be wrong with a capture; each problem's text begins with its kind and a colon. */
export const captureProblemKinds = {
  no_token_ids: 'The engine was asked for token ids and gave none.',
  no_prompt_token_ids: 'There are ids of the completion and none of the prompt.',
  no_logprobs: 'The engine was asked for logprobs and gave none.',
  token_id: 'A token id is not a whole number of 31 bits.',
  logprob: 'A logprob is missing, not finite, or above 0.',
  logprob_count: 'There are not as many logprobs as token ids.',
  completion_count: 'The token ids are not as many as the engine counted.',
  prompt_count: 'The ids of the prompt are not as many as the engine counted.',
  no_finish_reason: 'The choice has no finish reason.',
  aborted: 'The engine gave up on the choice.',
  choice_count: 'There are not as many choices as were asked for.',
  unreadable: 'A part of the reply is not JSON.',
} as const;

export type CaptureProblemKind = keyof typeof captureProblemKinds;

/** A problem as it is kept with a trace. */
export function captureProblem(kind: CaptureProblemKind, detail: string): string {
  return `${kind}: ${detail}`;
}

/** The kind of a problem's text, for counting; undefined for a text of another origin. */
export function captureProblemKind(problem: string): CaptureProblemKind | undefined {
  const kind = problem.slice(0, Math.max(0, problem.indexOf(':')));
  return Object.hasOwn(captureProblemKinds, kind) ? (kind as CaptureProblemKind) : undefined;
}
