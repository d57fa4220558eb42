import { stringifyJson, type JsonObject } from '@art/ground';
import { isAbove, isAtLeast } from '@art/ground/figures';
import type { RecordedRollout } from '../records/rollout-record.ts';
import { conversationBranches } from './conversation-branches.ts';
import type { ResolvedExportOptions } from './export-options.ts';
import type { MessageProblem } from './plain-message.ts';
import { branchRow, type TextRow } from './text-row.ts';
import { toChatMessages } from './to-chat-messages.ts';

/** Why a group has no pair. */
export type PairProblem =
  /** Fewer than two rollouts that could be chosen. */
  | 'no_pair'
  /** The best is not better than the worst by the margin. */
  | 'no_margin'
  /** The agent asked both rollouts something else before the first answer. */
  | 'different_prompts'
  /** One of both has several branches, which are no one answer. */
  | 'forked'
  /** Both said the same. */
  | 'same_answers';

/**
 * The best rollout of a group against its worst: what both were asked, and all that came after it.
 * @param group rollouts of one input with rewards and conversations
 */
export function toPreferencePair(
  group: readonly RecordedRollout[],
  { arguments: style, minMargin, minReward }: ResolvedExportOptions,
): JsonObject | PairProblem | MessageProblem {
  const ranked = group.toSorted((first, second) => second.reward! - first.reward!);
  const [best, worst] = [ranked[0], ranked.at(-1)];
  if (best === undefined || worst === undefined || best === worst) return 'no_pair';
  const [most, least] = [best.reward!, worst.reward!];
  const isBetter = isAbove(most, least) && isAtLeast(most, least + (minMargin ?? 0));
  if (!isBetter || !isAtLeast(most, minReward ?? -Infinity)) return 'no_margin';
  const [chosen, rejected] = [soleRow(best), soleRow(worst)];
  if (typeof chosen === 'string') return chosen;
  if (typeof rejected === 'string') return rejected;
  const asked = firstAnswer(chosen);
  const spelling = { arguments: style, isExtended: true };
  const [good, bad] = [chosen, rejected].map(({ messages }) => toChatMessages(messages, spelling));
  const prompt = good!.slice(0, asked);
  const isSamePrompt =
    firstAnswer(rejected) === asked &&
    stringifyJson([prompt, chosen.tools]) === stringifyJson([bad!.slice(0, asked), rejected.tools]);
  if (!isSamePrompt) return 'different_prompts';
  const [better, worse] = [good!.slice(asked), bad!.slice(asked)];
  if (stringifyJson(better) === stringifyJson(worse)) return 'same_answers';
  return {
    prompt,
    chosen: better,
    rejected: worse,
    ...(chosen.tools.length > 0 && { tools: stringifyJson(chosen.tools) }),
  };
}

function soleRow({ conversation }: RecordedRollout): TextRow | 'forked' | MessageProblem {
  const [branch, ...others] = conversationBranches(conversation!);
  return branch === undefined || others.length > 0 ? 'forked' : branchRow(branch);
}

/** Place of the first message that the model gave in this rollout. */
function firstAnswer({ messages }: TextRow): number {
  return messages.findIndex(({ taught }) => taught !== 'nowhere');
}
