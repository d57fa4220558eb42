import { AgentCoreRLApp } from '@art/agent';
import { lightSchema } from '../agents/light-schema.ts';
import { plantedAnswer, type PlantedTask, promptsInCode } from './planted-program.ts';

/** The planted program as an agent, whose prompts can be replaced. */
const app = new AgentCoreRLApp({
  invocationHandler: {
    requestSchema: lightSchema<PlantedTask>(({ word }) => typeof word === 'string'),
    process: (task, { prompt }) => {
      const prompts = Object.entries(promptsInCode).map(([name, text]) => [name, prompt(name, text)]);
      return Promise.resolve({ text: plantedAnswer(task, Object.fromEntries(prompts)) });
    },
  },
});

void app.run();
