import type OpenAI from 'openai';
import { callTool, type Tool, toolDefinitions } from './tool.ts';

export interface ChatModel {
  client: OpenAI;
  modelId: string;
  /** The system prompt. */
  instructions: string;
  /** Passed on as they are: temperature, top_p ... */
  samplingParams?: Record<string, unknown> | undefined;
}

/** The system prompt in the code; a rollout may replace it. */
export const clerkInstructions = `You work in an office. Somebody asks you to change spreadsheets and documents. Today is 20 March 2026.
Look at the files first. Change what was asked for, and nothing else. When you are done, answer with one sentence.`;

/** Model calls for one request. */
const mostCalls = 30;

/** The agent: asks the model, runs the tools that it calls, and continues until it answers. No word about training. */
export async function work(
  request: string,
  tools: Readonly<Record<string, Tool>>,
  { client, modelId, instructions, samplingParams }: ChatModel,
  signal: AbortSignal,
): Promise<string> {
  const messages: OpenAI.ChatCompletionMessageParam[] = [
    { role: 'system', content: instructions },
    { role: 'user', content: request },
  ];
  for (let call = 0; call < mostCalls; call += 1) {
    const completion = await client.chat.completions.create(
      { ...samplingParams, model: modelId, messages, tools: toolDefinitions(tools) },
      { signal },
    );
    const reply = completion.choices[0]?.message;
    if (reply === undefined) throw new Error(`The model ${modelId} answered without a choice.`);
    // As it came: a trainer learns from the exact tokens, and a changed message begins another row.
    messages.push(reply);
    const calls = reply.tool_calls ?? [];
    if (calls.length === 0) return reply.content ?? '';
    // One after the other, since they change the same files.
    for (const { id, ...called } of calls) {
      const { name, arguments: args } =
        called.type === 'function' ? called.function : { name: called.type, arguments: '{}' };
      messages.push({ role: 'tool', tool_call_id: id, content: await callTool(tools, name, args) });
    }
  }
  return '';
}
