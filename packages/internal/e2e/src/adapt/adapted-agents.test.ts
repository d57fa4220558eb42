import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { workspaceRoot } from '../workspace-root.ts';

const run = promisify(execFile);
const art = join(workspaceRoot, 'packages/command/cli/src/main.ts');
const head = "import { BedrockAgentCoreApp } from 'bedrock-agentcore/runtime';\nimport * as z from 'zod';\n";
const open =
  'const app = new BedrockAgentCoreApp({\n  invocationHandler: {\n    requestSchema: z.object({ prompt: z.string() }),\n';
const close = '  },\n});\nvoid app.run();\n';

/** Agents in the forms of AWS's templates: a kept agent for each session, a stream, an agent at the top of the file. */
const agents: Record<string, string> = {
  strands: `${head}import { Agent, BedrockModel } from '@strands-agents/sdk';
const agents = new Map<string, Agent>();
async function agentOf(sessionId: string): Promise<Agent> {
  const kept = agents.get(sessionId);
  if (kept) return kept;
  const model = new BedrockModel({ modelId: 'amazon.nova-pro-v1:0' });
  const agent = new Agent({ model, systemPrompt: 'Be kind.' });
  agents.set(sessionId, agent);
  return agent;
}
${open}    async *process(payload, context) {
      const agent = await agentOf(context.sessionId);
      for await (const event of agent.stream(payload.prompt)) {
        if (
          event.type === 'modelStreamUpdateEvent' &&
          event.event.type === 'modelContentBlockDeltaEvent' &&
          event.event.delta.type === 'textDelta'
        )
          yield { data: event.event.delta.text };
      }
    },
${close}`,
  'vercel-ai': `${head}import { openai } from '@ai-sdk/openai';
import { streamText } from 'ai';
${open}    async *process(payload) {
      const result = streamText({ model: openai('gpt-5-mini'), prompt: payload.prompt });
      for await (const chunk of result.textStream) yield { data: chunk };
    },
${close}`,
  langgraph: `${head}import { ChatOpenAI } from '@langchain/openai';
import { createAgent } from 'langchain';
const model = new ChatOpenAI({ model: 'gpt-5-mini' });
const agent = createAgent({ model, tools: [], systemPrompt: 'Be kind.' });
${open}    process: async ({ prompt }) => {
      const result = await agent.invoke({ messages: [{ role: 'user', content: prompt }] });
      return { response: result.messages.at(-1)?.text };
    },
${close}`,
  'openai-agents': `${head}import { Agent, run } from '@openai/agents';
const agent = new Agent({ name: 'Helper', model: 'gpt-5-mini', instructions: 'Be kind.' });
${open}    process: async ({ prompt }) => {
      const result = await run(agent, prompt);
      return { response: result.finalOutput };
    },
${close}`,
};

it.each(Object.keys(agents))(
  'an adapted agent of %s compiles, and the doctor finds no fault',
  { timeout: 240_000 },
  async (framework) => {
    const folder = await mkdtemp(join(tmpdir(), 'art-adapted-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }));
    await symlink(join(workspaceRoot, 'examples', framework, 'node_modules'), join(folder, 'node_modules'));
    await writeFile(join(folder, 'agent.ts'), agents[framework]!);
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
    await writeFile(
      join(folder, 'tsconfig.json'),
      JSON.stringify({
        compilerOptions: {
          target: 'ES2024',
          module: 'NodeNext',
          types: ['node'],
          strict: true,
          noEmit: true,
          skipLibCheck: true,
          allowImportingTsExtensions: true,
        },
        include: ['*.ts'],
      }),
    );
    const env = {
      ...process.env,
      OPENAI_API_KEY: '',
      NODE_OPTIONS: '--conditions=@art/source --no-warnings',
    };
    await run(process.execPath, [art, 'adapt', 'agent.ts', '--write'], { cwd: folder, env });
    expect(await readFile(join(folder, 'agent.ts'), 'utf8')).toContain('new AgentCoreRLApp(');
    const tsc = join(workspaceRoot, 'packages/internal/e2e/node_modules/.bin/tsc');
    const compiling = run(tsc, [
      '-p',
      folder,
      '--pretty',
      'false',
      '--customConditions',
      '@art/source',
      '--singleThreaded',
    ]).then(
      ({ stdout }) => stdout,
      (error: { stdout: string }) => error.stdout,
    );
    const examining = run(process.execPath, [art, 'doctor', 'agent.ts', '--json'], {
      cwd: folder,
      env,
    }).catch((error: { stdout: string }) => error);
    expect(await compiling).toBe('');
    const findings = (await examining).stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: string; verdict?: string });
    expect(findings.length).toBeGreaterThan(50);
    expect(findings.filter(({ verdict }) => verdict === 'fault')).toEqual([]);
  },
);
