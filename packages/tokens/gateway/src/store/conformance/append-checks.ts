import { deepEqual, equal, rejects } from 'node:assert/strict';
import { conversation, fullTrace, sampleTrace } from '@art/trajectories/testing';
import { appended, checkOnStore, type TraceStoreCheck } from './trace-store-check.ts';

function user(text: string): string {
  return `{"role":"user","content":"${text}"}`;
}

/** Checks that appended captures come back exactly. */
export const appendChecks: readonly TraceStoreCheck[] = [
  checkOnStore('append.exact', 'gives back every field of a trace exactly', async (store) => {
    const trace = fullTrace({ traceId: 't', sessionId: 's' });
    await store.append([trace]);
    deepEqual(appended(await store.trace('t')), trace);
    deepEqual(appended(await store.tracesOf('s')), [trace]);
  }),
  checkOnStore('append.conversation', 'gives back a conversation whose prompts grow', async (store) => {
    const traces = conversation('s', 12);
    for (const trace of traces) await store.append([trace]);
    deepEqual(appended(await store.tracesOf('s')), traces);
    for (const trace of traces) deepEqual(appended(await store.trace(trace.traceId)), trace);
  }),
  checkOnStore('append.forks', 'gives back prompts that drift, fork, shrink and repeat', async (store) => {
    const prompts = [
      [1, 2],
      [1, 2, 3, 4, 5],
      [1, 2, 3, 9],
      [1],
      [],
      [7, 8],
      [1, 2, 3, 4, 5, 3, 4, 6],
      [1, 2],
    ];
    const traces = prompts.map((ids, index) =>
      sampleTrace({
        traceId: `t${index}`,
        sessionId: 's',
        promptTokenIds: Int32Array.from(ids),
        messages: ids.map((id) => `{"role":"user","content":"${id}"}`),
        tools: index % 3 === 0 ? undefined : `[${index % 2}]`,
      }),
    );
    await store.append(traces);
    const found = await store.tracesOf('s');
    deepEqual(appended(found), traces);
    // Each is answered with 3 and 4.
    deepEqual(
      found.map(({ prefix }) => prefix?.kept),
      [0, 4, 3, 1, 0, 0, 7, 2],
    );
    equal(found[6]?.prefix?.traceId, 't1');
    equal(found[5]?.prefix?.traceId, undefined);
  }),
  checkOnStore(
    'append.turn-before',
    'finds the turn that a prompt continues from, by what its messages say',
    async (store) => {
      const turns = [
        { messages: [user('a')], continuedIn: 'scope' },
        { messages: [user('a')], continuedIn: 'scope' },
        { messages: [user('a')], continuedIn: undefined },
        { messages: [user('a'), '{"role":"assistant","content":"yes"}', user('b')], continuedIn: 'scope' },
        { messages: [user('c')], continuedIn: 'other' },
      ].map((turn, index) => ({
        ...sampleTrace({ traceId: `t${index}`, sessionId: 's', promptTokenIds: Int32Array.of(1, 2 + index) }),
        responseMessage: '{"role":"assistant","content":"yes","reasoning_content":"hm"}',
        ...turn,
      }));
      for (const turn of turns) await store.append([turn]);
      const before = async (messages: readonly string[], scope = 'scope'): Promise<unknown> => {
        const found = await store.turnBefore('s', { messages, scope });
        return found && [found.messageCount, found.tokenIds[1]];
      };
      const echo = '{"content":[{"type":"text","text":"yes"}],"role":"assistant"}';
      deepEqual(await before([user('a'), echo, user('x')]), [2, 3]);
      deepEqual(await before([user('a'), Buffer.from(echo).toString(), user('b'), echo, user('x')]), [4, 5]);
      // At least one message has to follow; and nobody else's turns are continued.
      deepEqual(await before([user('a'), echo, user('b'), echo]), [2, 3]);
      equal(await before([user('a'), echo]), undefined);
      equal(await before([user('c'), echo, user('x')]), undefined);
      deepEqual(await before([user('c'), echo, user('x')], 'other'), [2, 6]);
      equal(await store.turnBefore('nobody', { messages: [user('a')], scope: 'scope' }), undefined);
      deepEqual((await store.trace('t0'))?.traceId, 't0');
      equal('continuedIn' in ((await store.trace('t0')) ?? {}), false);
    },
  ),
  checkOnStore(
    'append.logprobs',
    'keeps logprobs to the last bit, and that there are none',
    async (store) => {
      const logprobs = [
        Float64Array.of(-0.1, -1e-300, -9_999),
        Float64Array.of(-0.5, Math.fround(-0.1), -0, 0),
        Float64Array.of(Number.NaN, Number.NEGATIVE_INFINITY),
        new Float64Array(0),
        undefined,
      ];
      const traces = logprobs.map((values, index) =>
        sampleTrace({ traceId: `t${index}`, sessionId: 's', logprobs: values }),
      );
      await store.append(traces);
      deepEqual(appended(await store.tracesOf('s')), traces);
    },
  ),
  checkOnStore('append.bytes', 'takes long texts as bytes, and gives them back as texts', async (store) => {
    const text = '{"role":"user","content":"Ré😀"}';
    const traces = conversation('s', 3).map((trace) => ({
      ...trace,
      messages: [text, ...trace.messages],
      rawRequest: text,
      rawResponse: ' {"a":1.0}',
    }));
    for (const trace of traces) {
      // As they come: some as bytes, and not the same ones each time.
      const asBytes = trace.messages.map((message, index) =>
        index % 2 === 0 ? Buffer.from(message) : message,
      );
      const [rawRequest, rawResponse] = [Buffer.from(trace.rawRequest), Buffer.from(trace.rawResponse)];
      await store.append([{ ...trace, messages: asBytes, rawRequest, rawResponse }]);
    }
    deepEqual(appended(await store.tracesOf('s')), traces);
  }),
  checkOnStore(
    'append.owned',
    'is not changed by what the caller does with its arrays later',
    async (store) => {
      const prompt = Int32Array.of(1, 2, 3);
      const messages = ['{"role":"user","content":"a"}'];
      await store.append([sampleTrace({ traceId: 't', sessionId: 's', promptTokenIds: prompt, messages })]);
      prompt.fill(0);
      messages[0] = 'changed';
      const read = await store.trace('t');
      deepEqual(read?.promptTokenIds, Int32Array.of(1, 2, 3));
      read?.promptTokenIds.fill(7);
      deepEqual((await store.trace('t'))?.promptTokenIds, Int32Array.of(1, 2, 3));
      deepEqual((await store.trace('t'))?.messages, ['{"role":"user","content":"a"}']);
    },
  ),
  checkOnStore('append.concurrent', 'keeps everything of many appends at the same time', async (store) => {
    const sessions = Array.from({ length: 10 }, (_, index) => conversation(`s${index}`, 10));
    await Promise.all(sessions.flatMap((traces) => traces.map((trace) => store.append([trace]))));
    for (const [index, traces] of sessions.entries())
      deepEqual(appended(await store.tracesOf(`s${index}`)), traces);
    equal(store.stats().traces, 100);
  }),
  checkOnStore('append.visible', 'shows a trace as soon as the append has resolved', async (store) => {
    for (const trace of conversation('s', 5)) {
      await store.append([trace]);
      equal((await store.trace(trace.traceId))?.traceId, trace.traceId);
      equal((await store.tracesOf('s')).at(-1)?.traceId, trace.traceId);
    }
  }),
  checkOnStore(
    'append.duplicate',
    'keeps the first of two traces with one id, and counts the other',
    async (store) => {
      const first = sampleTrace({ traceId: 't', sessionId: 's', model: 'first' });
      await store.append([first, sampleTrace({ traceId: 't', sessionId: 's', model: 'second' })]);
      await Promise.all([
        store.append([sampleTrace({ traceId: 't', sessionId: 's', model: 'third' })]),
        store.append([sampleTrace({ traceId: 't', sessionId: 'other', model: 'fourth' })]),
      ]);
      deepEqual(appended(await store.tracesOf('s')), [first]);
      equal(store.stats().duplicateTraces, 3);
    },
  ),
  checkOnStore(
    'append.all-or-none',
    'stores none of the traces of an append that it refuses',
    async (store) => {
      const good = sampleTrace({ traceId: 'good', sessionId: 's' });
      const bad = sampleTrace({ traceId: 'bad', sessionId: 's', metadata: { f: Number.NaN } });
      await store.append(conversation('s', 2));
      await rejects(store.append([good, bad]), { code: 'ART_JSON_WRITE' });
      await rejects(store.append([good, { ...good, traceId: '' }]), { code: 'ART_INVALID_OPTION' });
      equal(await store.trace('good'), undefined);
      deepEqual(appended(await store.tracesOf('s')), conversation('s', 2));
      await store.append([good]);
      deepEqual(appended(await store.tracesOf('s')), [...conversation('s', 2), good]);
    },
  ),
  checkOnStore(
    'append.one-session',
    'takes traces of one session at a time, and none at all',
    async (store) => {
      await rejects(store.append([...conversation('s', 1), ...conversation('t', 1)]), {
        code: 'ART_INVALID_OPTION',
      });
      equal(await store.session('s'), undefined);
      await store.append([]);
    },
  ),
  checkOnStore('append.ids', 'takes session ids with slashes, colons and any script', async (store) => {
    for (const sessionId of ['a/b:c', '../x', '__proto__', 'ид 🎲', 'a'.repeat(500)]) {
      const trace = sampleTrace({ traceId: `t of ${sessionId}`, sessionId });
      await store.append([trace]);
      deepEqual(appended(await store.tracesOf(sessionId)), [trace]);
      equal(await store.deleteSessions([sessionId]), 1);
    }
  }),
];
