const fence = '```';

/**
 * The new text of a prompt in the answer of a reflecting model: what stands between its first and its last fence, without a name of a
 * language behind the first one. Without fences, the whole answer.
 */
export function readInstruction(answer: string): string {
  const start = answer.indexOf(fence) + fence.length;
  const end = answer.lastIndexOf(fence);
  if (answer.includes(fence) && start < end)
    return answer
      .slice(start, end)
      .replace(/^\S*\n/, '')
      .trim();
  const whole = answer.trim();
  // Cut off before the closing fence, or begun without the opening one.
  if (whole.startsWith(fence)) return whole.replace(/^```\S*\n?/, '').trim();
  return whole.endsWith(fence) ? whole.slice(0, -fence.length).trim() : whole;
}
