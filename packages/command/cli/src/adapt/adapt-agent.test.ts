import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
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
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
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
  ['let kept: OpenAI | undefined;', 'keptPerRollout<OpenAI | undefined>(undefined);'],
  ['let kept: OpenAI | null = null', 'keptPerRollout<OpenAI | null>(null)'],
])('what the first request makes is kept for each rollout: %s', async (declared, kept) => {
  const { text, notes } = await adapted({
    'agent.ts': `${server}import OpenAI from 'openai';\n${declared}\nfunction client() {\n  if (!kept) kept = new OpenAI();\n  return kept;\n}\n${asking('client()')}${answering}`,
  });
  expect(notes).toEqual([]);
  expect(text('agent.ts')).toContain(`const kept = ${kept}\n`);
  expect(text('agent.ts')).toContain(
    'if (!kept.value) kept.value = rolloutModel() ?? new OpenAI();\n  return kept.value;',
  );
  expect(text('agent.ts')).toMatch(/import \{ keptPerRollout, modelIdOf, rewardOf, /);
  expect(text('rollout.ts')).toContain('export function perRollout<T>(');
});

it.each([
  ['fullStream', 'partsOf'],
  ['textStream', 'textOf'],
])("an error in Mastra's %s is seen", async (stream, helper) => {
  const head = `${server}import { Agent } from '@mastra/core/agent';\nconst agent = new Agent({ id: 'a', name: 'a', instructions: 'Be kind.', model: 'openai/gpt' });\n`;
  const loop = (body: string): string =>
    head +
    app(
      `async *process({ prompt }) { const made = await agent.stream(prompt); for await (const part of made.${stream}) { ${body} } }`,
    );
  const { text } = await adapted({ 'agent.ts': loop('const text = String(part); yield { data: text };') });
  expect(text('agent.ts')).toContain(`of ${helper}(made.fullStream)) {`);
  const seen = await adapted({ 'agent.ts': loop("if (part.type === 'error') throw part; yield part;") });
  expect(seen.text('agent.ts')).toContain(`of made.${stream}) {`);
});

it('names the provider of the generation of the AI SDK that is installed', async () => {
  const source = `${server}import { generateText } from 'ai';\nimport { openai } from '@ai-sdk/openai';\n${app("process: async ({ prompt }) => { const { text } = await generateText({ model: openai('gpt'), prompt }); return { text }; }")}`;
  const installed = { 'node_modules/ai/package.json': '{"version":"6.0.326"}' };
  const { packages } = await adapted({ 'agent.ts': source, ...installed });
  expect(packages).toEqual(['@art/agent', '@ai-sdk/openai-compatible@2']);
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
    'a variable with a client that others import',
    'export let kept: OpenAI | undefined;\nexport { kept as client };\n' + asking('(kept ??= new OpenAI())'),
    'adapt#2-the-model-for-each-request',
  ],
  [
    'a member that keeps the first client',
    'const kept: { client?: OpenAI } = {};\n' + asking('(kept.client ??= new OpenAI())'),
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
  const asks = `import OpenAI from 'openai';\n${asking('new OpenAI()')}`;
  const { text, notes } = await adapted({ 'agent.ts': `${server}${asks}${app(process)}` });
  expect(notes).toMatchObject([{ page }]);
  expect(text('agent.ts')).not.toContain('answer');
});

it('text that has a name before it is yielded is collected', async () => {
  const { text, notes } = await adapted({
    'agent.ts': `${server}import OpenAI from 'openai';\nconst client = new OpenAI();\n${app(
      `process: async function* (request) { const stream = await client.chat.completions.create({ model: 'gpt', stream: true, messages: [] }); for await (const chunk of stream) { const text = chunk.choices?.[0]?.delta?.content; if (text) yield { event: 'message', data: { text } }; } }`,
    )}`,
  });
  expect(notes).toEqual([]);
  expect(text('agent.ts')).toContain(
    "if (text) { answered += text; yield { event: 'message', data: { text } }; }",
  );
});

it.each([
  ['{ BedrockAgentCoreApp, RequestContext }', '{ AgentCoreRLApp, type RequestContext }'],
  ['{ BedrockAgentCoreApp, type RequestContext }', '{ AgentCoreRLApp, type RequestContext }'],
  [
    '{ BedrockAgentCoreApp, RequestContext as Context }',
    '{ AgentCoreRLApp, type RequestContext as Context }',
  ],
])('a type is imported as one: %s', async (theirs, ours) => {
  const { text } = await adapted({
    'agent.ts': `import ${theirs} from 'bedrock-agentcore/runtime';\nimport { z } from 'zod';\n${answering}`,
  });
  expect(text('agent.ts')).toContain(`import ${ours} from '@art/agent';`);
});

it('a model that is asked by a library that is not known is left to the user', async () => {
  const { notes } = await adapted({ 'agent.ts': `${server}${answering}` });
  expect(notes).toMatchObject([{ page: 'adapt-frameworks' }]);
});

it('an agent of a whole module is one', async () => {
  const { text, notes } = await adapted({
    'agent.ts': `${server}import * as strands from '@strands-agents/sdk';\nconst agent = new strands.Agent();\n${app('process: async ({ prompt }) => { const text = String(await agent.invoke(prompt)); return { text }; }')}`,
  });
  expect(notes).toEqual([]);
  expect(text('agent.ts')).toContain('perRollout(() => new strands.Agent({ model: rolloutModel() }))');
});

const express = "import express from 'express';\nimport OpenAI from 'openai';\n";
const expressed = (route: string, more = ''): string =>
  `${express}${asking('new OpenAI()')}const PORT = process.env.PORT ?? 8080;\nconst app = express();\napp.use(express.json());\n${more}app.get('/ping', (_, res) => { res.json({ status: 'Healthy' }); });\n${route}\napp.listen(PORT, () => console.log(\`Up on \${PORT}\`));\n`;
const sums = (text: string): string =>
  `app.post('/invocations', async (req, res) => {\n  const text = await ask(req.body.prompt);\n  ${text}\n});`;

it('the answer is found in an object that has a name', async () => {
  const { text, notes } = await adapted({
    'agent.ts': expressed(
      sums('const response = { message: text, at: new Date() }; return res.json({ output: response });'),
    ),
  });
  expect(notes).toEqual([]);
  expect(text('agent.ts')).toContain(
    'return { output: response, ...(await rewardOf(text, request.answer)) }',
  );
});

it.each([
  "Buffer.isBuffer(req.body) ? req.body.toString('utf-8').trim() : String(req.body ?? '').trim()",
  "typeof req.body === 'string' ? req.body : req.body.toString()",
  "String(req.body ?? '')",
])('a body that is read as text is the prompt: %s', async (read) => {
  const { text, notes } = await adapted({
    'agent.ts': `${express}${asking('new OpenAI()')}const app = express();
app.post('/invocations', express.raw({ type: '*/*' }), async (req, res) => {
  const prompt = ${read};
  const reply = await ask(prompt);
  res.json({ reply });
});
app.listen(8080);\n`,
  });
  expect(notes).toMatchObject([{ what: expect.stringContaining('{"prompt": "..."}') as unknown }]);
  expect(text('agent.ts')).toContain('const prompt = request.prompt;');
  expect(text('agent.ts')).toContain('rewardOf(reply, request.answer)');
});

it('a server of Express becomes our class, and nothing of Express is left', async () => {
  const { text, notes } = await adapted({
    'agent.ts': expressed(`app.post('/invocations', async (req, res) => {
  const session = req.header('X-Amzn-Bedrock-AgentCore-Runtime-Session-Id');
  if (!req.body.prompt) {
    res.status(400).json({ error: 'No prompt.' });
    return;
  }
  try {
    const text = await ask(req.body.prompt);
    res.json({ text, session });
  } catch (error) {
    console.error(error);
    res.status(500).json({ error: 'failed' });
  }
});`),
  });
  expect(notes).toEqual([]);
  const code = text('agent.ts');
  expect(code).not.toMatch(/express|PORT|\bres\b|\breq\b/);
  expect(code).toMatch(/^import '@art\/agent\/snapshot-safe';\n/);
  expect(code).toContain(`const app = new AgentCoreRLApp({
  invocationHandler: {
    process: async (request: any, context) => {
      const session = context.sessionId;
      if (!request.prompt) {
        throw Object.assign(new Error('No prompt.'), { statusCode: 400 });
      }
      try {
        const text = await ask(request.prompt);
        return { text, session, ...(await rewardOf(text, request.answer)) };
      } catch (error) {
        console.error(error);
        throw error;
      }
    },
  },
});
void app.run();`);
});

it('a stream of Express is what the handler yields', async () => {
  const { text, notes } = await adapted({
    'agent.ts': `import express from 'express';\nimport { streamText } from 'ai';\nconst app = express();
app.post('/invocations', express.json(), async (req, res) => {
  res.setHeader('content-type', 'text/event-stream');
  const result = streamText({ model: 'gpt', prompt: req.body.prompt });
  for await (const chunk of result.textStream) res.write(\`data: \${JSON.stringify({ text: chunk })}\\n\\n\`);
  res.write('data: [DONE]\\n\\n');
  res.end();
});
app.listen(8080);\n`,
  });
  expect(notes).toEqual([]);
  expect(text('agent.ts')).toContain('async *process(request: any) {');
  expect(text('agent.ts')).toContain('yield { data: { text: chunk } }');
  expect(text('agent.ts')).toContain("yield '[DONE]';");
});

it('servers of Hono and Fastify become our class as well', async () => {
  const hono = await adapted({
    'agent.ts': `import { serve } from '@hono/node-server';\nimport { Hono } from 'hono';\nimport OpenAI from 'openai';\n${asking('new OpenAI()')}const app = new Hono();
app.get('/ping', (c) => c.json({ status: 'Healthy' }));
app.post('/invocations', async (c) => {
  const { prompt } = await c.req.json<{ prompt?: string }>();
  if (!prompt) return c.json({ error: 'No prompt.' }, 400);
  const text = await ask(prompt);
  return c.json({ text });
});
serve({ fetch: app.fetch, port: 8080 });\n`,
  });
  const fastify = await adapted({
    'agent.ts': `import Fastify from 'fastify';\nimport OpenAI from 'openai';\n${asking('new OpenAI()')}const server = Fastify();
server.post('/invocations', async (req, reply) => {
  if (!req.body.prompt) return reply.code(400).send({ error: 'No prompt.' });
  const text = await ask(req.body.prompt);
  return { text };
});
async function start() {
  await server.listen({ port: 8080 });
}
void start();\n`,
  });
  for (const { text, notes } of [hono, fastify]) {
    expect(notes).toEqual([]);
    expect(text('agent.ts')).not.toMatch(/hono|fastify/i);
    expect(text('agent.ts')).toContain("throw Object.assign(new Error('No prompt.'), { statusCode: 400 });");
    expect(text('agent.ts')).toContain('return { text, ...(await rewardOf(text, request.answer)) };');
    expect(text('agent.ts')).toMatch(/(void|await) app\.run\(\)/);
  }
});

it('a server that is required stays so, and text that was sent is named', async () => {
  const { text, notes } = await adapted({
    'agent.cjs': `const express = require('express');\nconst OpenAI = require('openai');\nconst client = new OpenAI();\nconst app = express();
app.post('/invocations', express.raw({ type: '*/*' }), async (req, res) => {
  const prompt = new TextDecoder().decode(req.body);
  const reply = await client.responses.create({ model: 'gpt', input: prompt });
  return res.json({ text: reply.output_text });
});
app.listen(8080);\n`,
  });
  expect(notes).toMatchObject([{ what: expect.stringContaining('{"prompt": "..."}') as unknown }]);
  expect(text('agent.cjs')).toContain("const { AgentCoreRLApp } = require('@art/agent');");
  expect(text('agent.cjs')).toContain('const prompt = request.prompt;');
});

it.each([
  ['new TextDecoder().decode(body)', 'request.prompt'],
  ['JSON.parse(Buffer.from(body).toString()).prompt', 'JSON.stringify(request)'],
])('bytes that a route of Hono reads as text stay bytes: %s', async (read, bytes) => {
  const { text } = await adapted({
    'agent.ts': `import { serve } from '@hono/node-server';\nimport { Hono } from 'hono';\nimport OpenAI from 'openai';\n${asking('new OpenAI()')}const app = new Hono();
app.post('/invocations', async (c) => {
  const body = await c.req.arrayBuffer();
  const text = await ask(${read});
  return c.json({ text });
});
serve({ fetch: app.fetch, port: 8080 });\n`,
  });
  expect(text('agent.ts')).toContain(`const body = new TextEncoder().encode(${bytes});`);
  expect(text('agent.ts')).toContain(`await ask(${read})`);
});

it.each(['handler: async (request: any) => {', 'async handler(request: any) {'])(
  "the handler of an early version of AWS's class gets its place: %s",
  async (head) => {
    const { text, notes } = await adapted({
      'agent.ts': `${server}import OpenAI from 'openai';\n${asking('new OpenAI()')}const app = new BedrockAgentCoreApp({ ${head} const text = await ask(request.prompt); return { text }; } });\napp.run();\n`,
    });
    expect(notes).toEqual([]);
    expect(text('agent.ts')).toContain(
      `new AgentCoreRLApp({ invocationHandler: { ${head.replace('handler', 'process')} const text`,
    );
    expect(text('agent.ts')).toContain('...(await rewardOf(text, request.answer)) }; } } });');
  },
);

it('a refusal keeps its text and its status, and what is left of it is changed once', async () => {
  const { text, notes } = await adapted({
    'agent.ts': expressed(`app.post('/invocations', async (req, res) => {
  if (!req.body.prompt) return res.status(422).json({ ok: false, error: \`No prompt in \${Object.keys(req.body)}\`, got: req.body });
  res.setHeader('x-user', req.body.user);
  if (req.body.prompt === 'no') return res.status(403).send('Not that.');
  if (req.body.prompt === 'never') return res.status(451).json({ status: 'error', response: 'Not here.' });
  try {
    const text = await ask(req.body.prompt);
    res.json({ text });
  } catch (error) {
    res.status(500).json({ error: 'failed', got: req.body });
  }
});`),
  });
  expect(notes).toEqual([]);
  expect(text('agent.ts')).toContain(
    'throw Object.assign(new Error(`No prompt in ${Object.keys(request)}`), { statusCode: 422 });',
  );
  expect(text('agent.ts')).toContain("throw Object.assign(new Error('Not that.'), { statusCode: 403 });");
  expect(text('agent.ts')).toContain("throw Object.assign(new Error('Not here.'), { statusCode: 451 });");
  expect(text('agent.ts')).toContain('throw error;');
});

it('other routes stay as they are, and are named', async () => {
  const { text, notes } = await adapted({
    'agent.ts': expressed(sums('res.json({ text });'), "app.get('/stats', (_, res) => { res.json({}); });\n"),
  });
  expect(notes).toMatchObject([{ what: expect.stringContaining("app.get('/stats'") as unknown }]);
  expect(text('agent.ts')).toContain("app.get('/stats', (_, res) => { res.json({}); });");
  expect(text('agent.ts')).toContain('void agentCore.run();');
});

it.each([
  ['it works on after its answer', sums('res.json({ text }); count(text);')],
  ['it gives its response away', sums('send(res, text);')],
  ['it reads a header', sums("res.json({ text, user: req.headers['user'] });")],
  ['it answers with text', sums('res.send(`${text}`);')],
  ['it answers with what may be text', sums('res.send(text);')],
  ['it answers in a callback', sums('later(() => res.json({ text }));')],
  ['it writes what is no event', sums('res.write(text); res.end();')],
  ['its status is computed', sums('res.status(text ? 200 : 500).json({ text });')],
  ['it has middleware', sums('res.json({ text });').replace("s',", "s', authorize,")],
  ['it stands elsewhere', "app.post('/invocations', invoke);"],
  [
    'it passes requests on',
    sums('res.json({ text });')
      .replace('(req, res)', '(req, res, next)')
      .replace('const text', 'next(); const text'),
  ],
  ['the server is kept', `${sums('res.json({ text });')}\nexport { app };`],
  [
    'more is done once it listens',
    expressed(sums('res.json({ text });')).replace('console.log(', 'register('),
  ],
  [
    'nothing listens',
    `import express from 'express';\nconst app = express();\n${sums('res.json({ text });')}`,
  ],
  ['there is no such route', "import express from 'express';\nexpress().listen(8080);\n"],
])('a route of Express is left to the user where %s', async (_, route) => {
  const source = route.startsWith('import') ? route : expressed(route);
  const { changed, notes } = await adapted({ 'agent.ts': source });
  expect(changed).toEqual([]);
  expect(notes).toHaveLength(1);
  expect(notes[0]!.page).toMatch(
    /^adapt-projects#a-server-without-agentcores-class$|^adapt#an-agent-that-streams$/,
  );
});

it('what is no code is refused', async () => {
  await expect(adapted({ 'agent.ts': 'const = 1' })).rejects.toMatchObject({ code: 'ART_INVALID_OPTION' });
});
