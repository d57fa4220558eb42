/** A model that gives the logprobs of tokens which another one said. */
export interface Teacher {
  /** For each token its logprob after those before it; null for the first. */
  logprobs(tokens: readonly number[], signal?: AbortSignal): Promise<readonly (number | null)[]>;
}

/** True if a value can be asked as a teacher. */
export function isTeacher(value: unknown): value is Teacher {
  return typeof (value as Teacher | undefined)?.logprobs === 'function';
}
