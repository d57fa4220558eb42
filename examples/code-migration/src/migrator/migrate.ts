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
export const migratorInstructions = `You move a small JavaScript package from CommonJS to ES modules.

- Its dependency is installed in its next major version, in node_modules, with a MIGRATION.md beside it. Use that version, and name it in package.json.
- "type" in package.json becomes "module". No require(), createRequire, module.exports or .cjs file is left.
- index.js exports the same names as before, as named exports. All functions behave as before, and stay synchronous where they are.
- Do not change the tests, nor anything in node_modules.

Run the tests when you are done. Then answer with one sentence.`;

/** Model calls for one package. */
const mostCalls = 40;

/** The agent: asks the model, runs the tools that it calls, and continues until it answers. No word about training. */
export async function migrate(
  name: string,
  tools: Readonly<Record<string, Tool>>,
  { client, modelId, instructions, samplingParams }: ChatModel,
  signal: AbortSignal,
): Promise<string> {
  const messages: OpenAI.ChatCompletionMessageParam[] = [
    { role: 'system', content: instructions },
    { role: 'user', content: `Please migrate the package "${name}".` },
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
    // One after the other, since they work on the same files.
    for (const { id, ...called } of calls) {
      const { name: toolName, arguments: args } =
        called.type === 'function' ? called.function : { name: called.type, arguments: '{}' };
      messages.push({ role: 'tool', tool_call_id: id, content: await callTool(tools, toolName, args) });
    }
  }
  return '';
}
