import OpenAI from 'openai';
import type { AgentAddress, SumAgent } from '../agent-address.ts';
import { question, sumParameters, sumToolNames } from '../sums-script.ts';

type Message = OpenAI.Chat.ChatCompletionMessageParam;

/** The openai library on the chat wire. */
export function openaiChat(options: { stream: boolean }): SumAgent {
  return async (at, tools) => {
    const client = clientOf(at);
    const messages: Message[] = [{ role: 'user', content: question }];
    for (;;) {
      const call = {
        model: 'mock-model',
        messages,
        tools: sumToolNames.map((name) => ({
          type: 'function' as const,
          function: { name, parameters: sumParameters },
        })),
      };
      const reply = options.stream
        ? await client.chat.completions.stream(call).finalChatCompletion()
        : await client.chat.completions.create(call);
      const { message } = reply.choices[0]!;
      messages.push(message);
      if ((message.tool_calls ?? []).length === 0) return message.content ?? '';
      for (const toolCall of message.tool_calls ?? []) {
        if (toolCall.type !== 'function') throw new Error(`a call of type ${toolCall.type}`);
        const content = tools.call(toolCall.function.name, toolCall.function.arguments);
        messages.push({ role: 'tool', tool_call_id: toolCall.id, content });
      }
    }
  };
}

/** The openai library on the Responses wire; the conversation is sent along with each call. */
export function openaiResponses(options: { stream: boolean }): SumAgent {
  return async (at, tools) => {
    const client = clientOf(at);
    const input: OpenAI.Responses.ResponseInputItem[] = [{ role: 'user', content: question }];
    for (;;) {
      const call = {
        model: 'mock-model',
        input,
        tools: sumToolNames.map((name) => ({
          type: 'function' as const,
          name,
          parameters: sumParameters,
          strict: false,
        })),
      };
      const reply = options.stream
        ? await client.responses.stream(call).finalResponse()
        : await client.responses.create(call);
      // What came out goes back in, reasoning included.
      input.push(...(reply.output as OpenAI.Responses.ResponseInputItem[]));
      const calls = (reply.output as OpenAI.Responses.ResponseOutputItem[]).flatMap((item) =>
        item.type === 'function_call' ? [item] : [],
      );
      if (calls.length === 0) return reply.output_text;
      for (const item of calls) {
        const output = tools.call(item.name, item.arguments);
        input.push({ type: 'function_call_output', call_id: item.call_id, output });
      }
    }
  };
}

function clientOf({ openaiUrl: baseURL, apiKey }: AgentAddress): OpenAI {
  return new OpenAI({ baseURL, apiKey, maxRetries: 0 });
}
