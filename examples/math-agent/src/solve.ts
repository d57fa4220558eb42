import type OpenAI from 'openai';
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import { calculatorTool, runCalculator } from './calculator-tool.ts';

const systemPrompt = [
  'Solve the maths problem. Use the calculator tool for every computation.',
  'End your answer with a line that has #### and the final number, for example: #### 42',
].join(' ');

export interface SolveOptions {
  client: OpenAI;
  modelId: string;
  /** Passed on to the model as they are: temperature, top_p, seed ... */
  samplingParams?: Record<string, unknown> | undefined;
  /** Give up after this many model calls. @default 8 */
  maxTurns?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** One model call of an episode. */
export interface Turn {
  toolCalls: number;
  promptTokens: number | undefined;
  completionTokens: number | undefined;
}

export interface Solution {
  /** The model's final text; empty when it ran out of turns. */
  text: string;
  turns: Turn[];
  messages: ChatCompletionMessageParam[];
}

/** An ordinary agent: asks the model, runs the tools it calls, and continues until it answers. */
export async function solve(question: string, options: SolveOptions): Promise<Solution> {
  const { client, modelId, samplingParams = {}, maxTurns = 8, signal } = options;
  const messages: ChatCompletionMessageParam[] = [
    { role: 'system', content: systemPrompt },
    { role: 'user', content: question },
  ];
  const turns: Turn[] = [];
  while (turns.length < maxTurns) {
    const completion = await client.chat.completions.create(
      { ...samplingParams, model: modelId, messages, tools: [calculatorTool] },
      { signal: signal ?? null },
    );
    const message = completion.choices[0]?.message;
    if (message === undefined) throw new Error(`The model ${modelId} answered without a choice.`);
    const calls = message.tool_calls ?? [];
    messages.push(message);
    turns.push({
      toolCalls: calls.length,
      promptTokens: completion.usage?.prompt_tokens,
      completionTokens: completion.usage?.completion_tokens,
    });
    if (calls.length === 0) return { text: message.content ?? '', turns, messages };
    for (const call of calls) {
      const content =
        call.type === 'function' && call.function.name === 'calculator'
          ? runCalculator(call.function.arguments)
          : 'Error: there is no such tool.';
      messages.push({ role: 'tool', tool_call_id: call.id, content });
    }
  }
  return { text: '', turns, messages };
}
