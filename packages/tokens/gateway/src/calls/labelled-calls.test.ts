import { describe, expect, it } from 'vitest';
import { chatCall, testBench } from '../gateway-bench.fixture.ts';

const finish = { body: { reward: 1 } };

describe('which agent calls', () => {
  it.each<[string, object]>([
    ['chat/completions', chatCall],
    ['chat/completions', { ...chatCall, stream: true }],
    ['completions', { model: 'm', prompt: 'hi' }],
    ['responses', { model: 'm', input: 'hi' }],
    ['messages', { ...chatCall, max_tokens: 5 }],
  ])('is in the capture of a call to %s: %j', async (path, body) => {
    const { call, json } = await testBench();
    const labelled = await call(`/sessions/one/v1/${path}`, { body, headers: { 'x-art-label': 'critic' } });
    expect([labelled.status, await labelled.text()]).toMatchObject([200, {}]);
    await (await call(`/sessions/one/v1/${path}`, { body })).text();
    expect(await json('/sessions/one/traces')).toMatchObject([
      { metadata: { label: 'critic' } },
      { metadata: {} },
    ]);
  });

  it.each(['two words', 'x'.repeat(65)])('is refused as %j, before anything is sampled', async (label) => {
    const { call, engine } = await testBench();
    const reply = await call('/sessions/one/v1/chat/completions', {
      body: chatCall,
      headers: { 'x-art-label': label },
    });
    expect([reply.status, await reply.json()]).toMatchObject([400, { error: { code: 'invalid_label' } }]);
    expect(engine.requests).toHaveLength(0);
  });
});

describe('a trajectory of which some agents train', () => {
  it('has their turns in its rows, and tells how many of the others there are', async () => {
    const { call, json } = await testBench();
    await json('/trajectories', { body: { session_id: 'one', trains: { labels: ['planner'] } } });
    for (const label of ['planner', 'critic', 'critic'])
      await (
        await call('/sessions/one/v1/chat/completions', {
          body: { ...chatCall, messages: [{ role: 'user', content: label }] },
          headers: { 'x-art-label': label },
        })
      ).text();
    expect(await json('/trajectories/one/finish', finish)).toMatchObject({
      records: [{ reward: 1, num_turns: 1 }],
      summary: {
        turns: 3,
        not_chosen_turns: 2,
        masked_turns: [
          { reason: 'not_chosen', problems: ['label "critic", not "planner"'] },
          { reason: 'not_chosen' },
        ],
      },
    });
  });

  it.each<[unknown, string]>([
    [{}, 'models'],
    [{ label: ['critic'] }, 'labels'],
    [{ labels: [] }, 'trains.labels'],
    [{ lineage: 'last' }, 'trains.lineage'],
    ['critic', 'trains'],
  ])('is refused with trains: %j', async (trains, name) => {
    const { call, json } = await testBench();
    const reply = await call('/trajectories', { body: { session_id: 'one', trains } });
    const text = await reply.text();
    expect(reply.status).toBe(422);
    expect(text).toContain(name);
    expect(await json('/sessions')).toEqual([]);
  });
});
