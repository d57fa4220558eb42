/** An agent as its developers write it: one handler, a conversation of some turns with the model that the request names. */
import { AgentCoreRLApp } from '@art/agent';
import OpenAI from 'openai';
import { lightSchema } from './light-schema.ts';

const app = new AgentCoreRLApp({
  invocationHandler: {
    requestSchema: lightSchema<{ questions: string[] }>(({ questions }) => Array.isArray(questions)),
    process: async ({ questions }, { rollout, invocation, signal }) => {
      const client = new OpenAI({
        baseURL: rollout?.baseUrl ?? null,
        apiKey: rollout?.apiKey ?? 'none',
        maxRetries: 0,
      });
      const messages: OpenAI.ChatCompletionMessageParam[] = [];
      for (const content of questions) {
        messages.push({ role: 'user', content });
        const completion = await client.chat.completions.create(
          { model: rollout?.modelId ?? '', messages },
          { signal },
        );
        messages.push(completion.choices[0]!.message);
      }
      return {
        rewards: [0, 0.5],
        metrics: { turns: questions.length },
        answers: messages.filter(({ role }) => role === 'assistant').map(({ content }) => content),
        background: invocation?.background,
      };
    },
  },
});

await app.run();
