// First: no session may draw what another one draws.
import '@art/agent/snapshot-safe';
import { createSdkMcpServer, query, tool } from '@anthropic-ai/claude-agent-sdk';
import { AgentCoreRLApp, type RequestContext } from '@art/agent';
import * as z from 'zod';
import { reward } from './reward.ts';

const instructions =
  'Solve the problem. Use the calculator for every computation. End with the number alone, like this: #### 42';

const calculator = tool(
  'calculator',
  'Computes one sum, difference, product or quotient.',
  { a: z.number(), operator: z.enum(['+', '-', '*', '/']), b: z.number() },
  async ({ a, operator, b }) => {
    const text = String({ '+': a + b, '-': a - b, '*': a * b, '/': a / b }[operator]);
    return { content: [{ type: 'text', text }] };
  },
);

/** The environment of Claude Code, a process for each query: it says which model this rollout asks. */
function environmentFor({ rollout, sessionId }: RequestContext): Record<string, string | undefined> {
  if (rollout?.baseUrl === undefined) return process.env;
  return {
    ...process.env,
    // Messages API: Claude Code itself adds /v1/messages.
    ANTHROPIC_BASE_URL: rollout.baseUrl.replace(/\/v1\/?$/, ''),
    ANTHROPIC_AUTH_TOKEN: rollout.apiKey ?? sessionId,
    ANTHROPIC_API_KEY: '',
    CLAUDE_CODE_EXTRA_BODY: JSON.stringify(rollout.samplingParams),
    // Without it Claude Code also asks for a title of the session, and the trainer would learn from that.
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  };
}

async function solve(prompt: string, context: RequestContext): Promise<string> {
  const abortController = new AbortController();
  context.signal.addEventListener('abort', () => abortController.abort(), { once: true });
  const messages = query({
    prompt,
    options: {
      model: context.rollout?.modelId ?? 'claude-sonnet-4-5',
      systemPrompt: context.prompt('system', instructions),
      tools: [],
      mcpServers: { maths: createSdkMcpServer({ name: 'maths', tools: [calculator] }) },
      allowedTools: ['mcp__maths__calculator'],
      settingSources: [],
      persistSession: false,
      env: environmentFor(context),
      abortController,
    },
  });
  for await (const message of messages) {
    if (message.type !== 'result') continue;
    if (message.subtype !== 'success' || message.is_error) throw new Error(JSON.stringify(message));
    return message.result;
  }
  throw new Error('Claude Code ended without a result.');
}

const app = new AgentCoreRLApp({
  invocationHandler: {
    // A trainer sends the right answer with the problem, your users do not.
    requestSchema: z.object({ prompt: z.string(), answer: z.string().optional() }),
    process: async ({ prompt, answer }, context) => {
      const text = await solve(prompt, context);
      if (answer === undefined) return { text };
      return { text, reward: await reward.compute({ responseText: text, groundTruth: answer }) };
    },
  },
});

void app.run();
