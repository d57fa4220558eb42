import Anthropic from '@anthropic-ai/sdk';
import type { SumAgent } from '../agent-address.ts';
import { question, sumParameters, sumToolNames } from '../sums-script.ts';

/** The @anthropic-ai/sdk library, on its stable or its beta route. */
export function anthropicMessages(options: { stream: boolean; beta?: boolean }): SumAgent {
  return async ({ anthropicUrl: baseURL, apiKey }, tools) => {
    const client = new Anthropic({ baseURL, apiKey, maxRetries: 0 });
    const messages: Anthropic.MessageParam[] = [{ role: 'user', content: question }];
    for (;;) {
      const call = {
        model: 'mock-model',
        max_tokens: 500,
        messages,
        tools: sumToolNames.map((name) => ({ name, input_schema: sumParameters })),
      };
      const route = (
        options.beta === true ? client.beta.messages : client.messages
      ) as typeof client.messages;
      const reply = options.stream ? await route.stream(call).finalMessage() : await route.create(call);
      messages.push({ role: 'assistant', content: reply.content });
      const uses = reply.content.filter((block) => block.type === 'tool_use');
      if (uses.length === 0) {
        return reply.content.map((block) => (block.type === 'text' ? block.text : '')).join('');
      }
      messages.push({
        role: 'user',
        content: uses.map((use) => ({
          type: 'tool_result' as const,
          tool_use_id: use.id,
          content: tools.call(use.name, use.input),
        })),
      });
    }
  };
}
