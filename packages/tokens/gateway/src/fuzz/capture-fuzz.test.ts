import { expect, it } from 'vitest';
import { captureReply } from '../capture/capture-reply.ts';
import { captureStatus, type CapturedReply } from '../capture/captured-reply.ts';
import { preparedCall } from '../capture/engine-replies.fixture.ts';
import type { PreparedCall } from '../capture/prepare-call.ts';
import { StreamCapture } from '../capture/stream-capture.ts';
import { cutFor, isForGateway, type Asked } from './agent-view.fixture.ts';
import { checked, fuzzCases, fuzzTimeoutMs } from './checked.fixture.ts';
import type { Dice } from './dice.fixture.ts';
import { anyAnswer, type AnsweredChoice, type EngineAnswer } from './engine-answer.fixture.ts';
import { eventsOf, replyOf } from './engine-events.fixture.ts';
import { anyStyle, streamOf } from './event-stream.fixture.ts';
import { dataOf, messageFields, messageIn } from './read-events.fixture.ts';
import { jsonTokens, SpelledJson, type Spelling } from './spelled-json.fixture.ts';

interface Case {
  answer: EngineAnswer;
  asked: Asked;
  call: PreparedCall;
  spelling: Spelling;
}

function anyCase(dice: Dice, stream: boolean): Case {
  const answer = anyAnswer(dice);
  const asked = { logprobs: dice.chance(0.3), tokenIds: dice.chance(0.2), usage: dice.chance(0.3) };
  const body: Record<string, unknown> = { stream, n: answer.choices.length };
  if (asked.logprobs) body['logprobs'] = answer.endpoint === 'chat' ? true : 1;
  if (asked.tokenIds) body['return_token_ids'] = true;
  if (asked.usage) body['stream_options'] = { include_usage: true };
  return {
    answer,
    asked,
    call: preparedCall(body, { flavour: answer.flavour, endpoint: answer.endpoint }),
    spelling: {
      dice,
      oddity: dice.pick([0, 0.05, 0.3]),
      gaps: dice.pick([[' '], [' ', '\n', '\t', ' \n  ']]),
      // A name that stands for an id is not looked for in another spelling.
      escapesTexts: answer.ids !== 'tokens',
    },
  };
}

interface Outcome {
  text: string;
  captured: CapturedReply;
}

function streamed(pieces: readonly Buffer[], call: PreparedCall): Outcome {
  const capture = new StreamCapture(call);
  const passed = pieces.map((piece) => Buffer.from(capture.push(piece)));
  const { rest, captured } = capture.finish();
  return { text: Buffer.concat([...passed, Buffer.from(rest)]).toString(), captured };
}

function anyPieces(bytes: Buffer, dice: Dice): Buffer[] {
  if (dice.chance(0.2)) return Array.from(bytes, (_, at) => bytes.subarray(at, at + 1));
  const places = [0, ...dice.cuts(bytes.length, 40), bytes.length];
  return places.slice(1).map((end, at) => bytes.subarray(places[at], end));
}

function checkTokens(captured: CapturedReply, { answer, call }: Case): void {
  const { choices, ids } = answer;
  expect(captured.choices.map(({ index }) => index)).toEqual(choices.map((_, index) => index));
  expect(captured.choices.flatMap(({ problems }) => problems)).toEqual([]);
  for (const [index, { steps, finishReason }] of choices.entries()) {
    const choice = captured.choices[index] as CapturedReply['choices'][number];
    expect(choice.finishReason).toBe(finishReason);
    expect(captureStatus(choice, captured)).toBe(ids === 'none' ? 'text_only' : 'complete');
    if (ids === 'none') continue;
    expect([...choice.tokenIds]).toEqual(steps.flatMap((step) => step.ids));
    expect([...(choice.logprobs ?? [])]).toEqual(steps.flatMap((step) => step.logprobs));
    expect([...choice.promptTokenIds]).toEqual(answer.prompt);
  }
  expect(captured).toMatchObject({ model: 'm', ended: true, error: undefined });
  expect(call.choiceCount).toBe(choices.length);
}

function otherLines(text: string): string {
  return text
    .replace(/^\ufeff/, '')
    .split(/(?<=\r\n|\n|\r(?!\n))/)
    .filter((line) => !line.startsWith('data:'))
    .join('');
}

it(
  'reads every stream whole, spelled and split anyhow, and passes on all but what it cuts',
  { timeout: fuzzTimeoutMs },
  () => {
    const count = checked(fuzzCases, (dice) => {
      const each = anyCase(dice, true);
      const { answer, asked, call, spelling } = each;
      const style = anyStyle(dice, spelling.oddity * 2);
      const objects = eventsOf(answer, dice).map((event) => new SpelledJson(event, spelling));
      const events = streamOf(objects, style, dice);
      const stream = `${style.hasBom ? '\ufeff' : ''}${events.map(({ text }) => text).join('')}`;
      const { text, captured } = streamed(anyPieces(Buffer.from(stream), dice), call);

      checkTokens(captured, each);
      const data = dataOf(stream);
      for (const [index, choice] of captured.choices.entries()) {
        expect(messageFields(choice.message)).toEqual(messageIn(data, index));
      }

      if (answer.flavour === 'openai') {
        expect(text).toBe(stream);
        return;
      }
      const kept = events.filter(
        (event) => event.kind !== 'data' || !isForGateway(dataOf(event.text)[0] as string, asked),
      );
      const passed = dataOf(text);
      expect(passed.map((event) => jsonTokens(event))).toEqual(
        kept.flatMap((event) => (event.kind === 'data' ? [event.json.tokens(cutFor(asked))] : [])),
      );
      expect(text.startsWith('\ufeff')).toBe(style.hasBom);
      expect(otherLines(text)).toBe(otherLines(kept.map((event) => event.text).join('')));
      // Lines end and begin as they did, also where something was cut that went over several of them.
      expect(text.replaceAll(style.lineEnd, '')).not.toMatch(/[\n\r]/);
      const lines = text.split(style.lineEnd).filter((line) => line.startsWith('data:'));
      expect(lines.filter((line) => !line.startsWith(style.prefix))).toEqual([]);
    });
    expect(count).toBe(fuzzCases);
  },
);

it(
  'reads every whole reply, however it is spelled, and passes on all but what it cuts',
  { timeout: fuzzTimeoutMs },
  () => {
    const count = checked(fuzzCases, (dice) => {
      const each = anyCase(dice, false);
      const { answer, asked, call, spelling } = each;
      const json = new SpelledJson(replyOf(answer, dice), spelling);
      const reply = `${dice.chance(spelling.oddity) ? '\ufeff' : ''}${json.text()}${dice.pick(['', '\n', ' '])}`;
      const { body, captured } = captureReply(Buffer.from(reply), call);
      checkTokens(captured, each);
      const { choices } = JSON.parse(reply.replace(/^\ufeff/, '')) as { choices: Record<string, unknown>[] };
      for (const [index, choice] of captured.choices.entries()) {
        const given = choices[index]?.['message'] ?? { role: 'assistant', content: choices[index]?.['text'] };
        expect(JSON.parse(choice.message)).toEqual(given);
      }
      const text = Buffer.from(body).toString();
      if (answer.flavour === 'openai') expect(text).toBe(reply);
      else expect(jsonTokens(text.replace(/^\ufeff/, ''))).toEqual(json.tokens(cutFor(asked)));
    });
    expect(count).toBe(fuzzCases);
  },
);

it('reads a stream the same wherever it is split in two', { timeout: fuzzTimeoutMs }, () => {
  const count = checked(Math.ceil(fuzzCases / 50), (dice) => {
    const { answer, call, spelling } = anyCase(dice, true);
    const style = anyStyle(dice, 0.5);
    const [first] = answer.choices as [AnsweredChoice];
    const objects = eventsOf({ ...answer, choices: [{ ...first, steps: first.steps.slice(0, 2) }] }, dice);
    const events = streamOf(
      objects.map((event) => new SpelledJson(event, spelling)),
      style,
      dice,
    );
    const bytes = Buffer.from(`${style.hasBom ? '\ufeff' : ''}${events.map(({ text }) => text).join('')}`);
    const whole = streamed([bytes], call);
    for (let at = 1; at < bytes.length; at += 1) {
      const halves = streamed([bytes.subarray(0, at), bytes.subarray(at)], call);
      if (halves.text !== whole.text) expect([at, halves.text]).toEqual([at, whole.text]);
      if (at % 16 === 0) expect(halves.captured).toEqual(whole.captured);
    }
  });
  expect(count).toBe(Math.ceil(fuzzCases / 50));
});

it('never calls a stream complete that broke off before its last token', { timeout: fuzzTimeoutMs }, () => {
  const count = checked(fuzzCases, (dice) => {
    const { answer, call, spelling } = anyCase(dice, true);
    // What is sent so far can only be told from what is new by the counts, which come last.
    if (answer.ids === 'so_far' || answer.ids === 'none') return;
    const objects = eventsOf({ ...answer, usage: 'none' }, dice).map(
      (event) => new SpelledJson(event, spelling),
    );
    const style = { ...anyStyle(dice, spelling.oddity), hasDone: false };
    const stream = Buffer.from(
      streamOf(objects, style, dice)
        .map(({ text }) => text)
        .join(''),
    );
    const { captured } = streamed(anyPieces(stream.subarray(0, dice.int(0, stream.length)), dice), call);
    for (const choice of captured.choices) {
      const sampled = answer.choices[choice.index]?.steps.flatMap(({ ids }) => ids) ?? [];
      const ids = [...choice.tokenIds];
      if (captureStatus(choice, captured) === 'complete') expect(ids).toEqual(sampled);
      else if (ids.length <= 1) expect(ids).toEqual(sampled.slice(0, ids.length));
    }
  });
  expect(count).toBe(fuzzCases);
});

it(
  'takes an error anywhere in a stream for its end, and passes it on as it is',
  { timeout: fuzzTimeoutMs },
  () => {
    const count = checked(fuzzCases, (dice) => {
      const { answer, call, spelling } = anyCase(dice, true);
      const objects: object[] = eventsOf(answer, dice);
      const error = dice.pick<object>([
        { error: { message: 'out of memory', type: 'x', param: null, code: 500 } },
        { error: 'out of memory' },
        { object: 'error', message: 'out of memory', type: 'x', param: null, code: 500 },
        { id: 'r-1', error: { message: 'out of memory' }, choices: [] },
      ]);
      const at = dice.int(0, objects.length);
      objects.splice(at, 0, error);
      const style = anyStyle(dice, spelling.oddity);
      const events = streamOf(
        objects.map((object) => new SpelledJson(object, { ...spelling, escapesTexts: false, oddity: 0 })),
        { ...style, noise: 0 },
        dice,
      );
      const stream = events.map(({ text }) => text).join('');
      const { text, captured } = streamed(anyPieces(Buffer.from(stream), dice), call);
      expect(captured.ended).toBe(false);
      expect(captured.error).toContain('out of memory');
      expect(text).toContain(events[at]?.text);
      expect(captured.choices.map((choice) => captureStatus(choice, captured))).not.toContain('complete');
    });
    expect(count).toBe(fuzzCases);
  },
);

it('reads one JSON body in place of a stream as it reads a whole reply', { timeout: fuzzTimeoutMs }, () => {
  const count = checked(fuzzCases, (dice) => {
    const { answer, call, spelling } = anyCase(dice, true);
    const mark = dice.chance(0.2) ? '\ufeff' : '';
    const bytes = Buffer.from(
      `${mark}${dice.pick(['', ' \n'])}${new SpelledJson(replyOf(answer, dice), spelling).text()}`,
    );
    const whole = captureReply(bytes, call);
    expect(streamed(anyPieces(bytes, dice), call)).toEqual({
      text: Buffer.from(whole.body).toString(),
      captured: whole.captured,
    });
  });
  expect(count).toBe(fuzzCases);
});
