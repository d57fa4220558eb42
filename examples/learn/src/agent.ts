// First: no session may draw what another one draws.
import '@art/agent/snapshot-safe';
import { AgentCoreRLApp } from '@art/agent';
import OpenAI from 'openai';
import { Type } from 'typebox';

/**
 * An agent of two turns with a tool. It asks the model which key to look up, looks it up, and asks for the answer. The model
 * earns 0.5 where it names the key that it was given, and 0.5 where it says the value that the tool found.
 */
const app = new AgentCoreRLApp({
  rolloutHandler: {
    requestSchema: Type.Object({ key: Type.String(), value: Type.String() }),
    process: async ({ key, value }, { rollout, sessionId, signal }) => {
      const client = new OpenAI({ baseURL: rollout?.baseUrl ?? null, apiKey: rollout?.apiKey ?? sessionId });
      const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: key }];
      const ask = async (): Promise<string> => {
        const completion = await client.chat.completions.create(
          { model: rollout?.modelId ?? 'policy', messages, max_tokens: 2, ...rollout?.samplingParams },
          { signal },
        );
        return completion.choices[0]?.message.content ?? '';
      };
      const named = await ask();
      messages.push({ role: 'assistant', content: named });
      // The tool finds the same value whatever it is asked for, so that each turn can be learnt without the other.
      messages.push({ role: 'tool', tool_call_id: 'lookup', content: value });
      const answer = await ask();
      const reward = (named.startsWith(key) ? 0.5 : 0) + (answer.startsWith(value) ? 0.5 : 0);
      // Some trainers read the one, some the other.
      return { reward, rewards: [reward], named, answer };
    },
  },
});

await app.run({ port: Number(process.env['PORT'] ?? 8080) });
