import { createOpenAI } from '@ai-sdk/openai';
import { ContextOverflowError } from '@langchain/core/errors';
import { AIMessage, type BaseMessage, HumanMessage } from '@langchain/core/messages';
import { ChatOpenAI } from '@langchain/openai';
import { Agent as OpenAIAgent, OpenAIProvider, Runner, type AgentInputItem } from '@openai/agents';
import { Agent } from '@strands-agents/sdk';
import { AnthropicModel } from '@strands-agents/sdk/models/anthropic';
import { OpenAIModel } from '@strands-agents/sdk/models/openai';
import { APICallError, generateText, streamText } from 'ai';
import { expect, it } from 'vitest';
import { startGatewayBed, type GatewayBed } from './gateway-bed.fixture.ts';

const mostMessages = 3;
const words = {
  vllm: "This model's maximum context length is 100 tokens. However, your prompt contains 120 input tokens, which exceeds this limit.",
  sglang: "The input (120 tokens) is longer than the model's context length (100 tokens).",
};
type Flavour = keyof typeof words;

/** An engine that takes so many messages and no more. */
async function startBed(flavour: Flavour): Promise<GatewayBed> {
  const bed = await startGatewayBed({
    flavour,
    answer: () => ({ content: 'Done.' }),
    fault: ({ messages = [] }) =>
      messages.length > mostMessages ? { kind: 'refuse', status: 400, message: words[flavour] } : undefined,
  });
  await bed.control.createTrajectory({ sessionId: 'one', maxTurns: 1 });
  return bed;
}

const earlier = Array.from({ length: 4 }, (_, turn) => [`question ${turn}`, `answer ${turn}`] as const);
const flavours = ['vllm', 'sglang'] as const;

/** Expects the captures of an agent that gives up a part of its history: one turn, and the walls that it hit. */
async function expectOneTurn({ control, captures }: GatewayBed): Promise<void> {
  expect(await captures('one')).toMatchObject([{ capture: 'complete' }]);
  const { summary } = await control.finishedTrajectory('one');
  expect(summary).toMatchObject({ turns: 1 });
  expect(summary?.context_full).toBeGreaterThan(0);
}

it.each(flavours.flatMap((flavour) => [[flavour, 'openai'] as const, [flavour, 'anthropic'] as const]))(
  'Strands shortens its conversation and continues: %s, %s',
  async (flavour, provider) => {
    const bed = await startBed(flavour);
    const { url } = bed.gateway;
    const model =
      provider === 'openai'
        ? new OpenAIModel({
            api: 'chat',
            modelId: 'm',
            apiKey: 'x',
            clientConfig: { baseURL: `${url}/sessions/one/v1` },
          })
        : new AnthropicModel({
            modelId: 'm',
            maxTokens: 50,
            apiKey: 'x',
            clientConfig: { baseURL: `${url}/sessions/one` },
          });
    const messages = earlier.flatMap(([question, answer]) => [
      { role: 'user' as const, content: [{ text: question }] },
      { role: 'assistant' as const, content: [{ text: answer }] },
    ]);
    const agent = new Agent({ model, printer: false, messages });
    const { lastMessage } = await agent.invoke('And now?');
    expect(lastMessage.content).toMatchObject([{ text: 'Done.' }]);
    await expectOneTurn(bed);
  },
);

it.each(flavours.flatMap((flavour) => [[flavour, false] as const, [flavour, true] as const]))(
  'LangChain knows it by its own class: %s, streamed %s',
  async (flavour, streamed) => {
    const bed = await startBed(flavour);
    const configuration = { baseURL: `${bed.gateway.url}/sessions/one/v1` };
    const model = new ChatOpenAI({ model: 'm', apiKey: 'x', configuration, maxRetries: 0 });
    const ask = async (messages: BaseMessage[]): Promise<string> => {
      if (!streamed) return (await model.invoke(messages)).text;
      let text = '';
      for await (const chunk of await model.stream(messages)) text += chunk.text;
      return text;
    };
    const history = earlier.flatMap(([question, answer]) => [
      new HumanMessage(question),
      new AIMessage(answer),
    ]);
    const refused = ask([...history, new HumanMessage('And now?')]);
    await expect(refused).rejects.toBeInstanceOf(ContextOverflowError);
    expect(await ask([...history.slice(-2), new HumanMessage('And now?')])).toBe('Done.');
    await expectOneTurn(bed);
  },
);

it.each(flavours.flatMap((flavour) => [[flavour, 'chat'] as const, [flavour, 'responses'] as const]))(
  'the AI SDK has the code in its error: %s, %s',
  async (flavour, api) => {
    const bed = await startBed(flavour);
    const openai = createOpenAI({ baseURL: `${bed.gateway.url}/sessions/one/v1`, apiKey: 'x' });
    const model = api === 'chat' ? openai.chat('m') : openai('m');
    const messages = earlier.flatMap(([question, answer]) => [
      { role: 'user' as const, content: question },
      { role: 'assistant' as const, content: answer },
    ]);
    const refused = generateText({ model, messages, maxRetries: 0 });
    const error: unknown = await refused.catch((reason: unknown) => reason);
    expect(APICallError.isInstance(error) && error.data).toMatchObject({
      error: { code: 'context_length_exceeded', param: api === 'chat' ? 'messages' : 'input' },
    });
    let told: unknown;
    const stream = streamText({
      model,
      messages,
      maxRetries: 0,
      onError: (event) => void (told = event.error),
    });
    await stream.consumeStream();
    expect(APICallError.isInstance(told) && told.statusCode).toBe(400);
    expect((await generateText({ model, messages: messages.slice(-2), maxRetries: 0 })).text).toBe('Done.');
    await expectOneTurn(bed);
  },
);

it.each(flavours.flatMap((flavour) => [[flavour, false] as const, [flavour, true] as const]))(
  'OpenAI Agents tells the code: %s, Responses %s',
  async (flavour, useResponses) => {
    const bed = await startBed(flavour);
    const baseURL = `${bed.gateway.url}/sessions/one/v1`;
    const modelProvider = new OpenAIProvider({ baseURL, apiKey: 'x', useResponses });
    const runner = new Runner({ modelProvider, tracingDisabled: true });
    const agent = new OpenAIAgent({ name: 'a', model: 'm' });
    const input = earlier.flatMap(([question, answer]): AgentInputItem[] => [
      { role: 'user', content: question },
      { role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: answer }] },
    ]);
    const asked: AgentInputItem = { role: 'user', content: 'And now?' };
    await expect(runner.run(agent, [...input, asked])).rejects.toMatchObject({
      status: 400,
      code: 'context_length_exceeded',
    });
    expect((await runner.run(agent, [asked])).finalOutput).toBe('Done.');
    await expectOneTurn(bed);
  },
);
