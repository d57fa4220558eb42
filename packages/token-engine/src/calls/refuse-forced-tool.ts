import { CallRefusal } from './call-refusal.ts';
import type { ChatCall } from './chat-call.ts';

/**
 * Refuses a call that forces the model to use a tool: that takes a grammar, which only the engine can make of the tools.
 * @throws CallRefusal
 */
export function refuseForcedTool(call: ChatCall): void {
  if (call.forcedTool === undefined) return;
  throw new CallRefusal(
    `Expected tool_choice to be "auto" or "none", got ${call.forcedTool}: the sampling of token ids cannot force a call ` +
      'unless the engine takes the answer apart, and as to vLLM renders the prompt.',
    'tool_choice',
  );
}
