import type OpenAI from 'openai';
import { openShop } from '../shop/open-shop.ts';
import { shopTools } from './shop-tools.ts';
import { callTool, toolDefinitions } from './tool.ts';

export interface ChatModel {
  client: OpenAI;
  modelId: string;
  /** The system prompt. */
  instructions: string;
  /** Passed on as they are: temperature, top_p ... */
  samplingParams?: Record<string, unknown> | undefined;
}

/** Model calls for one message to the customer. */
const mostCalls = 12;

/** A call of a tool, and what the tool answered. */
export interface DeskCall {
  tool: string;
  args: string;
  answer: string;
}

/** The agent: one conversation with one customer. Ordinary code without a word about training. */
export class Desk {
  readonly shop = openShop();
  /** In their order. */
  readonly calls: DeskCall[] = [];
  readonly #tools = shopTools(this.shop);
  readonly #messages: OpenAI.ChatCompletionMessageParam[];
  readonly #model: ChatModel;

  constructor(model: ChatModel) {
    this.#model = model;
    this.#messages = [{ role: 'system', content: model.instructions }];
  }

  /** The desk's reply to a message; empty where it came to no answer. */
  async answer(message: string, signal: AbortSignal): Promise<string> {
    const { client, modelId, samplingParams } = this.#model;
    this.#messages.push({ role: 'user', content: message });
    for (let call = 0; call < mostCalls; call += 1) {
      const completion = await client.chat.completions.create(
        {
          ...samplingParams,
          model: modelId,
          messages: this.#messages,
          tools: toolDefinitions(this.#tools),
        },
        { signal },
      );
      const reply = completion.choices[0]?.message;
      if (reply === undefined) throw new Error(`The model ${modelId} answered without a choice.`);
      // As it came: a trainer learns from the exact tokens, and a changed message begins another row.
      this.#messages.push(reply);
      const calls = reply.tool_calls ?? [];
      if (calls.length === 0) return reply.content?.trim() ?? '';
      for (const { id, ...called } of calls) {
        const { name, arguments: args } =
          called.type === 'function' ? called.function : { name: called.type, arguments: '{}' };
        const answer = callTool(this.#tools, name, args);
        this.calls.push({ tool: name, args, answer });
        this.#messages.push({ role: 'tool', tool_call_id: id, content: answer });
      }
    }
    return '';
  }
}
