// First: no session may draw what another one draws.
import '@art/agent/snapshot-safe';
import { AgentCoreRLApp } from '@art/agent';
import OpenAI from 'openai';
import { MigrationReward } from './judgement/migration-reward.ts';
import { migratorInstructions, migrate } from './migrator/migrate.ts';
import { packageTools } from './migrator/package-tools.ts';
import { TaskSchema } from './task.ts';
import { withWorkspace } from './workspace/workspace.ts';

const timeoutMs = Number(process.env['COMMAND_TIMEOUT_MS'] ?? 20_000);
if (!(timeoutMs > 0)) throw new Error('Expected COMMAND_TIMEOUT_MS to be milliseconds, a number above 0.');
const limits = { timeoutMs, outputBytes: 200_000 };

const app = new AgentCoreRLApp({
  invocationHandler: {
    requestSchema: TaskSchema,
    process: async ({ name, files, probes }, { prompt, rollout, sessionId, signal }) => {
      const client = new OpenAI({
        baseURL: rollout?.baseUrl,
        apiKey: rollout?.apiKey ?? process.env['OPENAI_API_KEY'] ?? sessionId,
      });
      const modelId = rollout?.modelId ?? process.env['MODEL_ID'] ?? 'gpt-5-mini';
      const instructions = prompt('system', migratorInstructions);
      const model = { client, modelId, instructions, samplingParams: rollout?.samplingParams };
      const { response, after } = await withWorkspace(files, async (workspace) => {
        const tools = packageTools(workspace, limits, signal);
        return { response: await migrate(name, tools, model, signal), after: await workspace.files() };
      });
      if (probes === undefined) return { response, files: after ?? {} };
      const remarks: string[] = [];
      const reward = await new MigrationReward(limits).compute(
        { before: files, after, probes },
        { signal, remark: (text) => void remarks.push(text) },
      );
      return { reward, remarks, response };
    },
  },
});

void app.run();
