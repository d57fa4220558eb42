import { deepEqual, equal, rejects } from 'node:assert/strict';
import { conversation, fullCapture, sampleCapture } from '@art/trajectories/testing';
import { appended, checkOnStore, type CaptureStoreCheck } from './capture-store-check.ts';

function user(text: string): string {
  return `{"role":"user","content":"${text}"}`;
}

/** Checks that appended captures come back exactly. */
export const appendChecks: readonly CaptureStoreCheck[] = [
  checkOnStore('append.exact', 'gives back every field of a capture exactly', async (store) => {
    const capture = fullCapture({ captureId: 't', sessionId: 's' });
    await store.append([capture]);
    deepEqual(appended(await store.capture('t')), capture);
    deepEqual(appended(await store.capturesOf('s')), [capture]);
  }),
  checkOnStore('append.conversation', 'gives back a conversation whose prompts grow', async (store) => {
    const captures = conversation('s', 12);
    for (const capture of captures) await store.append([capture]);
    deepEqual(appended(await store.capturesOf('s')), captures);
    for (const capture of captures) deepEqual(appended(await store.capture(capture.captureId)), capture);
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
    const captures = prompts.map((ids, index) =>
      sampleCapture({
        captureId: `t${index}`,
        sessionId: 's',
        promptTokenIds: Int32Array.from(ids),
        messages: ids.map((id) => `{"role":"user","content":"${id}"}`),
        tools: index % 3 === 0 ? undefined : `[${index % 2}]`,
      }),
    );
    await store.append(captures);
    const found = await store.capturesOf('s');
    deepEqual(appended(found), captures);
    // Each is answered with 3 and 4.
    deepEqual(
      found.map(({ prefix }) => prefix?.kept),
      [0, 4, 3, 1, 0, 0, 7, 2],
    );
    equal(found[6]?.prefix?.captureId, 't1');
    equal(found[5]?.prefix?.captureId, undefined);
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
        ...sampleCapture({
          captureId: `t${index}`,
          sessionId: 's',
          promptTokenIds: Int32Array.of(1, 2 + index),
        }),
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
      deepEqual((await store.capture('t0'))?.captureId, 't0');
      equal('continuedIn' in ((await store.capture('t0')) ?? {}), false);
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
      const captures = logprobs.map((values, index) =>
        sampleCapture({ captureId: `t${index}`, sessionId: 's', logprobs: values }),
      );
      await store.append(captures);
      deepEqual(appended(await store.capturesOf('s')), captures);
    },
  ),
  checkOnStore('append.bytes', 'takes long texts as bytes, and gives them back as texts', async (store) => {
    const text = '{"role":"user","content":"Ré😀"}';
    const captures = conversation('s', 3).map((capture) => ({
      ...capture,
      messages: [text, ...capture.messages],
      rawRequest: text,
      rawResponse: ' {"a":1.0}',
    }));
    for (const capture of captures) {
      // As they come: some as bytes, and not the same ones each time.
      const asBytes = capture.messages.map((message, index) =>
        index % 2 === 0 ? Buffer.from(message) : message,
      );
      const [rawRequest, rawResponse] = [Buffer.from(capture.rawRequest), Buffer.from(capture.rawResponse)];
      await store.append([{ ...capture, messages: asBytes, rawRequest, rawResponse }]);
    }
    deepEqual(appended(await store.capturesOf('s')), captures);
  }),
  checkOnStore(
    'append.owned',
    'is not changed by what the caller does with its arrays later',
    async (store) => {
      const prompt = Int32Array.of(1, 2, 3);
      const messages = ['{"role":"user","content":"a"}'];
      await store.append([
        sampleCapture({ captureId: 't', sessionId: 's', promptTokenIds: prompt, messages }),
      ]);
      prompt.fill(0);
      messages[0] = 'changed';
      const read = await store.capture('t');
      deepEqual(read?.promptTokenIds, Int32Array.of(1, 2, 3));
      read?.promptTokenIds.fill(7);
      deepEqual((await store.capture('t'))?.promptTokenIds, Int32Array.of(1, 2, 3));
      deepEqual((await store.capture('t'))?.messages, ['{"role":"user","content":"a"}']);
    },
  ),
  checkOnStore('append.concurrent', 'keeps everything of many appends at the same time', async (store) => {
    const sessions = Array.from({ length: 10 }, (_, index) => conversation(`s${index}`, 10));
    await Promise.all(sessions.flatMap((captures) => captures.map((capture) => store.append([capture]))));
    for (const [index, captures] of sessions.entries())
      deepEqual(appended(await store.capturesOf(`s${index}`)), captures);
    equal(store.stats().captures, 100);
  }),
  checkOnStore('append.visible', 'shows a capture as soon as the append has resolved', async (store) => {
    for (const capture of conversation('s', 5)) {
      await store.append([capture]);
      equal((await store.capture(capture.captureId))?.captureId, capture.captureId);
      equal((await store.capturesOf('s')).at(-1)?.captureId, capture.captureId);
    }
  }),
  checkOnStore(
    'append.duplicate',
    'keeps the first of two captures with one id, and counts the other',
    async (store) => {
      const first = sampleCapture({ captureId: 't', sessionId: 's', model: 'first' });
      await store.append([first, sampleCapture({ captureId: 't', sessionId: 's', model: 'second' })]);
      await Promise.all([
        store.append([sampleCapture({ captureId: 't', sessionId: 's', model: 'third' })]),
        store.append([sampleCapture({ captureId: 't', sessionId: 'other', model: 'fourth' })]),
      ]);
      deepEqual(appended(await store.capturesOf('s')), [first]);
      equal(store.stats().duplicateCaptures, 3);
    },
  ),
  checkOnStore(
    'append.all-or-none',
    'stores none of the captures of an append that it refuses',
    async (store) => {
      const good = sampleCapture({ captureId: 'good', sessionId: 's' });
      const bad = sampleCapture({ captureId: 'bad', sessionId: 's', metadata: { f: Number.NaN } });
      await store.append(conversation('s', 2));
      await rejects(store.append([good, bad]), { code: 'ART_JSON_WRITE' });
      await rejects(store.append([good, { ...good, captureId: '' }]), { code: 'ART_INVALID_OPTION' });
      equal(await store.capture('good'), undefined);
      deepEqual(appended(await store.capturesOf('s')), conversation('s', 2));
      await store.append([good]);
      deepEqual(appended(await store.capturesOf('s')), [...conversation('s', 2), good]);
    },
  ),
  checkOnStore(
    'append.one-session',
    'takes captures of one session at a time, and none at all',
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
      const capture = sampleCapture({ captureId: `t of ${sessionId}`, sessionId });
      await store.append([capture]);
      deepEqual(appended(await store.capturesOf(sessionId)), [capture]);
      equal(await store.deleteSessions([sessionId]), 1);
    }
  }),
];
