import { readMember } from '@art/ground';

// Deeper than any client wraps; a chain may lead back to its own beginning.
const mostErrors = 32;

/**
 * An error and what caused it, outermost first: by `cause`, by `lastError` (the AI SDK's retries), by `errors` (several
 * addresses of a host that were tried). Never throws, whatever the error is.
 */
export function errorChain(error: unknown): object[] {
  const chain = new Set<object>();
  const waiting: unknown[] = [error];
  while (waiting.length > 0 && chain.size < mostErrors) {
    const next = waiting.shift();
    if (typeof next !== 'object' || next === null || chain.has(next)) continue;
    chain.add(next);
    const lastError = readMember(next, 'lastError');
    const errors = readMember(next, 'errors');
    waiting.push(readMember(next, 'cause'), lastError);
    // Of several tries the last one decides.
    if (lastError === undefined && isList(errors)) waiting.push(...errors.slice(0, mostErrors));
  }
  return [...chain];
}

function isList(value: unknown): value is unknown[] {
  try {
    return Array.isArray(value);
  } catch {
    return false;
  }
}
