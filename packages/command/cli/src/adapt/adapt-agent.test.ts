import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { adaptAgent, type AdaptedAgent } from './adapt-agent.ts';

const server = "import { BedrockAgentCoreApp } from 'bedrock-agentcore/runtime';\nimport { z } from 'zod';\n";
const app = (process: string): string =>
  `const app = new BedrockAgentCoreApp({ invocationHandler: { requestSchema: z.object({ prompt: z.string() }), ${process} } });\napp.run();\n`;
const answering = app(
  'process: async (request) => { const text = await ask(request.prompt); return { text }; }',
);
const asking = (made: string): string =>
  `async function ask(prompt: string) { const reply = await ${made}.chat.completions.create({ model: 'gpt', temperature: 1, messages: [{ role: 'user', content: prompt }] }); return reply.choices[0]?.message.content ?? ''; }\n`;

async function adapted(
  files: Record<string, string>,
): Promise<AdaptedAgent & { folder: string; text: (name: string) => string }> {
  const folder = await mkdtemp(join(tmpdir(), 'art-adapt-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  const [first] = Object.keys(files);
  const done = await adaptAgent(join(folder, first!));
  return {
    ...done,
    folder,
    text: (name) => done.changed.find(({ path }) => path === join(folder, name))?.after ?? '',
  };
}

it('a client at the top of a file is made for each rollout, and the rollout says how it samples', async () => {
  const { text, notes, packages } = await adapted({
    'agent.ts': `${server}import OpenAI from 'openai';\nconst client = new OpenAI();\n${asking('client')}${answering}`,
  });
  expect(notes).toEqual([]);
  expect(packages).toEqual(['@art/agent', 'openai']);
  expect(text('agent.ts')).toContain('const client = perRollout(() => rolloutModel() ?? new OpenAI());');
  expect(text('agent.ts')).toContain('await client().chat.completions.create({ model: modelIdOf(');
  // The trainer's temperature wins over the agent's own.
  expect(text('agent.ts')).toMatch(/temperature: 1.*\n.*\.\.\.samplingParams\(\)/);
  expect(text('agent.ts')).toContain('return { text, ...(await rewardOf(text, request.answer)) }');
  expect(text('agent.ts')).toContain('answer: z.string().optional()');
});

it.each([
  '(client: { id: number }) => client.id',
  '({ client }: { client: number }) => client',
  '([client]: number[]) => client',
])('what is shadowed is another thing: %s', async (other) => {
  const { text } = await adapted({
    'agent.ts': `${server}import OpenAI from 'openai';\nconst client = new OpenAI();\n${asking('client')}const other = ${other};\n${answering}`,
  });
  expect(text('agent.ts')).toContain(`const other = ${other};`);
});

it('a second run has nothing to do', async () => {
  const source = `${server}import OpenAI from 'openai';\nconst client = new OpenAI();\n${asking('client')}${answering}`;
  const { text } = await adapted({ 'agent.ts': source });
  const again = await adapted({ 'agent.ts': text('agent.ts'), 'rollout.ts': text('rollout.ts') });
  expect(again).toMatchObject({ changed: [], notes: [], packages: [] });
});

it('a function in another file that makes an agent is followed', async () => {
  const { text, notes } = await adapted({
    'main.ts': `${server}import { agent } from './agent.js';\n${app('process: async ({ prompt }) => { const text = String(await agent.invoke(prompt)); return { text }; }')}`,
    'agent.ts':
      "import { Agent } from '@strands-agents/sdk';\nfunction make() { return new Agent({ systemPrompt: 'Be kind.' }); }\nexport const agent = make();\n",
  });
  expect(notes).toEqual([]);
  expect(text('agent.ts')).toContain(
    "new Agent({ model: rolloutModel(), systemPrompt: promptOf('system', 'Be kind.') })",
  );
  expect(text('agent.ts')).toContain('export const agent = perRollout(() => make());');
  expect(text('main.ts')).toContain('agent().invoke(prompt)');
});

it('what is required stays required', async () => {
  const { text } = await adapted({
    'agent.cjs':
      "const { BedrockAgentCoreApp } = require('bedrock-agentcore/runtime');\nconst { z } = require('zod');\nconst OpenAI = require('openai');\nconst client = new OpenAI();\n" +
      app(
        "process: async ({ prompt }) => { const reply = await client.responses.create({ model: 'gpt', input: prompt }); return { text: reply.output_text }; }",
      ),
  });
  expect(text('agent.cjs')).toContain("const { AgentCoreRLApp } = require('@art/agent');");
  expect(text('agent.cjs')).toContain("} = require('./rollout.cjs');");
  expect(text('rollout.cjs')).toMatch(/^module\.exports = \{ rolloutModel, .*rewardOf \};$/m);
});

it.each([
  [
    'a class that keeps its client',
    'class Service { client = new OpenAI(); }\nconst service = new Service();\n' + asking('service.client'),
    'adapt#2-the-model-for-each-request',
  ],
  [
    'a variable that keeps the first client',
    'let kept: OpenAI | undefined;\n' + asking('(kept ??= new OpenAI())'),
    'adapt#2-the-model-for-each-request',
  ],
  [
    'a client with a type of its own',
    'const client: OpenAI = new OpenAI();\n' + asking('client'),
    'adapt#2-the-model-for-each-request',
  ],
])('%s is left to the user, and no part of the model is changed', async (_, code, page) => {
  const { text, notes } = await adapted({
    'agent.ts': `${server}import OpenAI from 'openai';\n${code}${answering}`,
  });
  expect(notes).toMatchObject([{ page }]);
  expect(text('agent.ts')).toContain('new AgentCoreRLApp(');
  expect(text('agent.ts')).not.toMatch(/rolloutModel|perRollout|modelIdOf|samplingParams/);
});

it.each([
  [
    'a stream whose text cannot be seen',
    'async *process(request) { for await (const event of stream(request)) yield event; }',
    'adapt#an-agent-that-streams',
  ],
  ['a result whose text cannot be seen', 'process: async (request) => work(request)', 'adapt#3-the-reward'],
  ['a handler of another file', 'process: handle', 'adapt#3-the-reward'],
])('%s gets no reward', async (_, process, page) => {
  const { text, notes } = await adapted({ 'agent.ts': `${server}${app(process)}` });
  expect(notes).toMatchObject([{ page }]);
  expect(text('agent.ts')).not.toContain('answer');
});

it('a server of another kind is left alone', async () => {
  const { changed, notes } = await adapted({
    'agent.ts': "import express from 'express';\nexpress().listen(8080);\n",
  });
  expect(changed).toEqual([]);
  expect(notes).toMatchObject([{ page: 'adapt-projects#a-server-without-agentcores-class' }]);
});

it('what is no code is refused', async () => {
  await expect(adapted({ 'agent.ts': 'const = 1' })).rejects.toMatchObject({ code: 'ART_INVALID_OPTION' });
});
