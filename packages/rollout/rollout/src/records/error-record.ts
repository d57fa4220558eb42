import { ArtError, describeThrown, readMember } from '@art/ground';
import { type RolloutOutcome } from '@art/protocol';
import type { ErrorRecord } from '@art/trajectories';

/** A stack of a hundred thousand lines helps nobody; its ends do. */
const longestStack = 16_000;

/**
 * Why something failed, as JSON.
 * @param outcome whose document may have the agent's own traceback
 */
export function errorRecord(error: unknown, outcome?: RolloutOutcome): ErrorRecord {
  const document = outcome !== undefined && 'document' in outcome ? outcome.document : undefined;
  const traceback = readMember(document, 'traceback');
  const { message, stack } = describeThrown(error);
  return {
    code: ArtError.isInstance(error) ? error.code : 'unknown',
    message,
    stack: shortened(typeof traceback === 'string' ? traceback : (stack ?? '')) || null,
  };
}

function shortened(stack: string): string {
  if (stack.length <= longestStack) return stack;
  const half = longestStack / 2;
  return `${stack.slice(0, half)}\n… ${stack.length - longestStack} characters …\n${stack.slice(-half)}`;
}
