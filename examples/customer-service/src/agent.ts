// First: no session may draw what another one draws.
import '@art/agent/snapshot-safe';
import { AgentCoreRLApp } from '@art/agent';
import OpenAI from 'openai';
import { Type } from 'typebox';
import { converse } from './converse.ts';
import { type ChatModel, Desk } from './desk/desk.ts';
import { policy } from './desk/policy.ts';
import { ServiceReward } from './judgement/service-reward.ts';
import { secondModel, SimulatedCustomer } from './simulated-customer.ts';
import { TaskSchema } from './task.ts';

/** Conversations with real customers. AgentCore gives each session a process; on a laptop several may share one. */
const desks = new Map<string, Desk>();

const app = new AgentCoreRLApp({
  invocationHandler: {
    // Customers send a message. Trainers send a task, with a simulated customer and what must come of it.
    requestSchema: Type.Union([
      Type.Object({ task: TaskSchema }),
      Type.Object({ message: Type.String({ minLength: 1 }) }),
    ]),
    process: async (request, { prompt, rollout, sessionId, signal }) => {
      const model: ChatModel = {
        client: new OpenAI({
          baseURL: rollout?.baseUrl,
          apiKey: rollout?.apiKey ?? process.env['OPENAI_API_KEY'] ?? sessionId,
        }),
        modelId: rollout?.modelId ?? process.env['MODEL_ID'] ?? 'gpt-5-mini',
        instructions: prompt('system', policy),
        samplingParams: rollout?.samplingParams,
      };
      if ('message' in request) {
        const desk = desks.get(sessionId) ?? new Desk(model);
        desks.set(sessionId, desk);
        return { response: await desk.answer(request.message, signal) };
      }
      const { customer, expected } = request.task;
      const second = secondModel(process.env);
      const desk = new Desk(model);
      const { messages, ended } = await converse(desk, new SimulatedCustomer(customer, second), signal);
      const remarks: string[] = [];
      const reward = await new ServiceReward(second).compute(
        { expected, shop: desk.shop, messages },
        { signal, remark: (text) => void remarks.push(text) },
      );
      return { reward, remarks, conversation: messages, ended };
    },
  },
});

void app.run();
