import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { shortlist } from '@art/tooling/thorough';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { workspaceRoot } from '../workspace-root.ts';

const run = promisify(execFile);
const art = join(workspaceRoot, 'packages/command/cli/src/main.ts');
const head = "import { BedrockAgentCoreApp } from 'bedrock-agentcore/runtime';\nimport * as z from 'zod';\n";
const open =
  'const app = new BedrockAgentCoreApp({\n  invocationHandler: {\n    requestSchema: z.object({ prompt: z.string() }),\n';
const close = '  },\n});\nvoid app.run();\n';

/**
 * Agents in the forms of AWS's templates and guides: a kept agent for each session, a stream, an agent at the top of the file; a server of
 * Express, Hono or Fastify. Behind the name of the framework, whose example has its packages, may stand that of the server.
 */
const agents: Record<string, string> = {
  'vercel-ai': `${head}import { openai } from '@ai-sdk/openai';
import { streamText } from 'ai';
${open}    async *process(payload) {
      const result = streamText({ model: openai('gpt-5-mini'), prompt: payload.prompt });
      for await (const chunk of result.textStream) yield { data: chunk };
    },
${close}`,
  'openai express required': `const express = require('express');
const OpenAI = require('openai');
const client = new OpenAI();
const app = express();
app.use(express.json());
app.get('/ping', (req, res) => res.json({ status: 'Healthy' }));
app.post('/invocations', async (req, res) => {
  try {
    const reply = await client.chat.completions.create({
      model: 'gpt-5-mini',
      messages: [{ role: 'user', content: req.body.prompt }],
    });
    const text = reply.choices[0].message.content;
    res.json({ text });
  } catch (error) {
    res.status(500).json({ error: error.message });
  }
});
app.listen(process.env.PORT || 8080);
`,
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

Object.assign(agents, {
  'strands express': `import { z } from 'zod';
import * as strands from '@strands-agents/sdk';
import express, { type Request, type Response } from 'express';
const PORT = process.env.PORT || 8080;
const add = strands.tool({
  name: 'add',
  description: 'Adds two numbers.',
  inputSchema: z.object({ a: z.number(), b: z.number() }),
  callback: ({ a, b }): number => a + b,
});
const agent = new strands.Agent({ model: new strands.BedrockModel({ region: 'us-west-2' }), tools: [add] });
const app = express();
app.get('/ping', (_, res) => res.json({ status: 'Healthy', time_of_last_update: Math.floor(Date.now() / 1000) }));
app.post('/invocations', express.raw({ type: '*/*' }), async (req: Request, res: Response) => {
  try {
    const { prompt } = JSON.parse(new TextDecoder().decode(req.body));
    const response = await agent.invoke(prompt);
    return res.json({ response });
  } catch (error) {
    console.error(error);
    return res.status(500).json({ error: 'Internal server error' });
  }
});
app.listen(PORT, () => console.log(\`Listens on \${PORT}\`));
`,
  'vercel-ai express': `import express from 'express';
import { openai } from '@ai-sdk/openai';
import { streamText } from 'ai';
const app = express();
app.use(express.json());
app.get('/ping', (req, res) => {
  res.status(200).json({ status: 'Healthy' });
});
app.post('/invocations', async (req, res) => {
  res.setHeader('Content-Type', 'text/event-stream');
  const result = streamText({ model: openai('gpt-5-mini'), prompt: req.body.prompt });
  for await (const chunk of result.textStream) res.write(\`data: \${JSON.stringify({ text: chunk })}\\n\\n\`);
  res.end();
});
app.listen(8080);
`,
  'langgraph fastify': `import Fastify from 'fastify';
import { ChatOpenAI } from '@langchain/openai';
import { createAgent } from 'langchain';
const model = new ChatOpenAI({ model: 'gpt-5-mini' });
const agent = createAgent({ model, tools: [], systemPrompt: 'Be kind.' });
const server = Fastify({ logger: true });
server.get('/ping', async () => ({ status: 'Healthy' }));
server.post('/invocations', async (request, reply) => {
  const { prompt } = request.body as { prompt?: string };
  if (!prompt) return reply.code(400).send({ error: 'prompt is missing' });
  const result = await agent.invoke({ messages: [{ role: 'user', content: prompt }] });
  return { response: result.messages.at(-1)?.text };
});
await server.listen({ port: 8080, host: '0.0.0.0' });
`,
  'openai hono': `import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import OpenAI from 'openai';
const client = new OpenAI();
const app = new Hono();
app.get('/ping', (c) => c.json({ status: 'Healthy' }));
app.post('/invocations', async (c) => {
  const { prompt } = await c.req.json<{ prompt?: string }>();
  if (!prompt) return c.json({ error: 'prompt is missing' }, 400);
  const reply = await client.chat.completions.create({
    model: 'gpt-5-mini',
    messages: [{ role: 'user', content: prompt }],
  });
  const response = reply.choices[0]?.message.content ?? '';
  return c.json({ response });
});
serve({ fetch: app.fetch, port: 8080 });
`,
});

/** One that AgentCore's app answers for, and one behind a server of its own. */
const played = shortlist(Object.keys(agents), 2);
const root = await mkdtemp(join(tmpdir(), 'art-adapted-'));
const env = { ...process.env, OPENAI_API_KEY: '', NODE_OPTIONS: '--conditions=@art/source --no-warnings' };
const folderOf = (name: string): string => join(root, name.replaceAll(' ', '-'));
const fileOf = (name: string): string => (name.endsWith('required') ? 'agent.cjs' : 'agent.ts');

beforeAll(async () => {
  for (const name of played) {
    const folder = folderOf(name);
    await mkdir(folder);
    const example = join(workspaceRoot, 'examples', name.split(' ')[0]!);
    await symlink(join(example, 'node_modules'), join(folder, 'node_modules'));
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
    await writeFile(join(folder, fileOf(name)), agents[name]!);
    await run(process.execPath, [art, 'adapt', fileOf(name), '--write'], { cwd: folder, env });
  }
}, 240_000);

afterAll(() => rm(root, { recursive: true, force: true, maxRetries: 10 }));

it('adapted agents compile', { timeout: 240_000 }, async () => {
  await symlink(join(workspaceRoot, 'packages/internal/e2e/node_modules'), join(root, 'node_modules'));
  const compilerOptions = {
    target: 'ES2024',
    module: 'NodeNext',
    types: ['node'],
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    customConditions: ['@art/source'],
  };
  await writeFile(join(root, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*/*.ts'] }));
  const tsc = join(workspaceRoot, 'packages/internal/e2e/node_modules/.bin/tsc');
  const compiling = run(tsc, ['-p', root, '--pretty', 'false', '--listFiles', '--singleThreaded']);
  const { stdout } = await compiling.catch((error: { stdout: string }) => error);
  const lines = stdout.split('\n');
  expect(lines.filter((line) => line.includes('error TS'))).toEqual([]);
  for (const name of played.filter((name) => fileOf(name) === 'agent.ts'))
    expect(lines).toContain(join(folderOf(name), 'agent.ts'));
});

it.each(played)('the doctor finds no fault in an adapted agent of %s', { timeout: 240_000 }, async (name) => {
  const [cwd, agent] = [folderOf(name), fileOf(name)];
  expect(await readFile(join(cwd, agent), 'utf8')).toContain('new AgentCoreRLApp(');
  const { stdout } = await run(process.execPath, [art, 'doctor', agent, '--json'], { cwd, env }).catch(
    (error: { stdout: string }) => error,
  );
  const findings = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { id: string; verdict?: string });
  expect(findings.length).toBeGreaterThan(50);
  expect(findings.filter(({ verdict }) => verdict === 'fault')).toEqual([]);
});
