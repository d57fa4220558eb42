/**
 * An agent that asks its model as often as its payload says; run by the local runtime in tests. Where it is to be judged, another agent
 * with another model, and its own conversation, judges each answer.
 */
import { AgentCoreRLApp } from '@art/agent';
import { lightSchema } from '../agents/light-schema.ts';

const app = new AgentCoreRLApp({
  rolloutHandler: {
    requestSchema: lightSchema<{
      turns: number;
      reward: number;
      ending?: 'throw' | 'hang';
      judged?: boolean;
    }>(({ turns, reward }) => Number.isInteger(turns) && typeof reward === 'number'),
    process: async ({ turns, reward, ending, judged }, { rollout, sessionId, signal }) => {
      const ask = (model: string, messages: unknown[], label?: string): Promise<Response> =>
        fetch(`${rollout?.baseUrl}/chat/completions`, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            authorization: `Bearer ${rollout?.apiKey ?? sessionId}`,
            ...(label !== undefined && rollout?.label(label)),
          },
          body: JSON.stringify({ model, messages }),
          signal,
        });
      const messages: unknown[] = [{ role: 'user', content: 'Go on.' }];
      const statuses: number[] = [];
      for (let turn = 0; turn < turns; turn += 1) {
        const reply = await ask('m', messages, judged ? 'planner' : undefined);
        statuses.push(reply.status);
        const { choices } = (await reply.json()) as { choices?: { message: unknown }[] };
        if (choices === undefined) break;
        messages.push(choices[0]!.message, { role: 'user', content: `Turn ${turn}.` });
        if (judged)
          await (await ask('judge', [{ role: 'user', content: 'Is that right?' }], 'critic')).text();
      }
      if (ending === 'throw') throw new Error('the tool failed');
      if (ending === 'hang') {
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        throw new Error('aborted');
      }
      return { rewards: reward, statuses };
    },
  },
});

await app.run();
