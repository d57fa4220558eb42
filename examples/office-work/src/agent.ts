// First: no session may draw what another one draws.
import '@art/agent/snapshot-safe';
import { AgentCoreRLApp } from '@art/agent';
import OpenAI from 'openai';
import { officeTools } from './clerk/office-tools.ts';
import { clerkInstructions, work } from './clerk/work.ts';
import { decodeFiles, encodeFiles } from './files/office-files.ts';
import { OfficeReward } from './judgement/office-reward.ts';
import { TaskSchema } from './task.ts';

const officeReward = new OfficeReward();

const app = new AgentCoreRLApp({
  invocationHandler: {
    requestSchema: TaskSchema,
    process: async ({ request, files, expected }, { prompt, rollout, sessionId, signal }) => {
      const client = new OpenAI({
        baseURL: rollout?.baseUrl,
        apiKey: rollout?.apiKey ?? process.env['OPENAI_API_KEY'] ?? sessionId,
      });
      const modelId = rollout?.modelId ?? process.env['MODEL_ID'] ?? 'gpt-5-mini';
      const after = decodeFiles(files);
      const instructions = prompt('system', clerkInstructions);
      const model = { client, modelId, instructions, samplingParams: rollout?.samplingParams };
      const response = await work(request, officeTools(after), model, signal);
      if (expected === undefined) return { response, files: encodeFiles(after) };
      const remarks: string[] = [];
      const reward = await officeReward.compute(
        { before: decodeFiles(files), after, expected },
        { remark: (text) => void remarks.push(text) },
      );
      return { reward, remarks, response, files: encodeFiles(after) };
    },
  },
});

void app.run();
