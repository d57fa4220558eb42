import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GatewayClient } from '@art/gateway-client';
import { expect, it, onTestFinished } from 'vitest';
import { completeTexts, requestOf, type ChaosCall } from './chaos/chaos-call.ts';
import { KillableGateway } from './chaos/killable-gateway.ts';
import { expectSameTokens } from './compare-captures.ts';
import { startMockEngine } from './engine/mock-engine.ts';

const calls = {
  whole: { wire: 'chat', stream: false, choices: 1 },
  streamed: { wire: 'chat', stream: true, choices: 1 },
  messages: { wire: 'messages', stream: true, choices: 1 },
  responses: { wire: 'responses', stream: false, choices: 1 },
} satisfies Record<string, ChaosCall>;
const sessions = Object.keys(calls) as (keyof typeof calls)[];

it(
  'sessions continue by their tokens at another gateway when theirs is killed under their calls',
  {
    timeout: 120_000,
  },
  async () => {
    const directory = await mkdtemp(join(tmpdir(), 'art-killed-gateway-'));
    onTestFinished(() => rm(directory, { recursive: true, force: true, maxRetries: 10 }));
    let whenSampled = (): void => undefined;
    await using engine = await startMockEngine({
      flavour: 'vllm',
      answer: (_request, call) => ({ reasoning: 'Hm.', content: `Answer ${call} 🙂` }),
      onSampled: () => whenSampled(),
    });
    const configuration = {
      workers: [{ url: engine.url, flavour: 'vllm' }],
      db_path: join(directory, 'captures'),
      cumulative_token_mode: true,
      log_level: 'silent',
    };
    const conversations = new Map(sessions.map((session) => [session, [`I am ${session}.`]]));
    const play = async (session: (typeof sessions)[number], url: string): Promise<void> => {
      const conversation = conversations.get(session)!;
      const { path, body } = requestOf(calls[session], conversation);
      const headers = { 'content-type': 'application/json' };
      const reply = await fetch(`${url}/sessions/${session}${path}`, { method: 'POST', headers, body });
      const [text] = completeTexts(calls[session], await reply.text()) ?? [];
      if (text === undefined) throw new Error(`${session} got half a reply`);
      conversation.push(text, 'And then?');
    };

    await using first = new KillableGateway(configuration);
    await first.start();
    for (const session of sessions) await play(session, first.url);
    await play('whole', first.url);
    // The engine samples the first of these calls, and no byte of an answer has left it.
    const served = engine.calls.length;
    const killed = Promise.withResolvers<void>();
    whenSampled = () => killed.resolve(first.kill());
    const broken = await Promise.allSettled(sessions.map((session) => play(session, first.url)));
    await killed.promise;
    expect(broken.map(({ status }) => status)).toEqual(sessions.map(() => 'rejected'));
    const lost = new Set(engine.calls.slice(served));
    whenSampled = () => undefined;

    await using second = new KillableGateway(configuration);
    await second.start();
    for (const session of [...sessions, ...sessions]) await play(session, second.url);
    const control = new GatewayClient({ url: second.url });
    for (const session of sessions) {
      const ofSession = engine.calls.filter(
        (call) => !lost.has(call) && call.body.includes(`I am ${session}.`),
      );
      expectSameTokens(await control.captures(session), ofSession);
      // One row has all turns: each begins with every token of the turn before, on both sides of the kill.
      const rows = await control.finishTrajectory(session);
      expect(rows.map((row) => row.num_turns)).toEqual([session === 'whole' ? 4 : 3]);
    }
  },
);
