import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Conversation, toAgentSpans } from '@art/trajectories';
import type { JsonObject } from '@art/ground';
import { describe, expect, it } from 'vitest';
import { runPython } from '../interop/run-python.ts';
import { isPythonMissing, pythonExecutable } from './provided-gateway-python.fixture.ts';
import { readSpans } from './read-spans.ts';

interface Captured extends Conversation {
  name: string;
  id: string;
  sessionId: string;
}

// What the gateway captured of an agent of each framework, from `examples/`: the transcripts of `art eval` without tokens.
const captured = JSON.parse(
  await readFile(join(import.meta.dirname, 'captured-conversations.json'), 'utf8'),
) as Captured[];
const sessions = captured.map(({ name, id, sessionId, messages, calls }) => ({
  name,
  sessionId,
  spans: toAgentSpans({ id, sessionId, conversation: { messages, calls } }) as JsonObject[],
}));

const nadia = /^Nadia types 30 words/;
const isMaths = ({ name }: { name: string }): boolean => !/customer|sub-agents/.test(name);

describe('spans of what the gateway captured', () => {
  it.each(sessions.filter(isMaths))('have the same tools and texts for $name', ({ spans }) => {
    const calculated = (given: object, result: string): object => ({
      name: expect.stringMatching(/^(?:mcp__maths__)?calculator$/) as unknown,
      arguments: given,
      result,
      of: expect.stringMatching(nadia) as unknown,
    });
    const [trace, ...others] = readSpans(spans);
    expect(others).toEqual([]);
    expect(trace).toMatchObject({
      agents: [{ asked: expect.stringMatching(nadia) as unknown, answered: '#### 40', below: null }],
      tools: [
        calculated({ a: 5, operator: '*', b: 240 }, '1200'),
        calculated({ a: 1200, operator: '/', b: 30 }, '40'),
      ],
    });
    expect(trace!.chats.map(({ length }) => length)).toEqual([2, 4, 6]);
  });

  it('have a trace for each turn of a talk with a customer', () => {
    const { spans } = sessions.find(({ name }) => name === 'customer service')!;
    expect(
      readSpans(spans).map(({ agents, tools }) => [agents[0]!.asked, agents[0]!.answered, tools.length]),
    ).toEqual([
      [
        'Please cancel W1001. I am mira@example.com, 04107.',
        'I can cancel W1001. You get $50.50 back on your card. Shall I?',
        2,
      ],
      ['Yes, please.', 'It is cancelled. $50.50 go back to your card.', 1],
    ]);
  });

  it('have sub-agents below the agent that waits for them, whatever its system prompt says the time is', () => {
    const { spans } = sessions.at(-1)!;
    const asked = 'How tall is K2 in feet?';
    expect(readSpans(spans)).toMatchObject([
      {
        agents: [
          { asked, answered: '28251 feet', below: null },
          { asked: 'K2?', answered: '8611 m', below: asked },
          { asked: 'feet?', answered: '3.28084 feet a metre', below: asked },
        ],
        tools: [
          { name: 'ask_expert', arguments: { question: 'K2?' }, result: '8611 m', of: asked },
          {
            name: 'ask_expert',
            arguments: { question: 'feet?' },
            result: '3.28084 feet a metre',
            of: asked,
          },
          { name: 'convert', result: '3.28084', of: 'feet?' },
        ],
      },
      { agents: [{ asked: 'Sure?', answered: 'Yes.' }], tools: [] },
    ]);
  });

  it.skipIf(isPythonMissing)('are read to the same by the mapper of strands-agents-evals', async () => {
    const script = join(import.meta.dirname, 'python/map_spans.py');
    const mapped = await runPython({ executable: pythonExecutable, script, env: {}, input: sessions });
    expect(mapped).toEqual(sessions.map(({ spans }) => readSpans(spans)));
  });
});
