import { beforeAll, describe, expect, it } from 'vitest';

import { ChatTemplate } from './chat-template.ts';
import { findBridgeTail } from './bridge-tail.ts';
import { encoderOf, readModel, type ModelName } from './models.fixture.ts';
import { toTemplateMessage } from './template-messages.ts';
import { TextDecoderOfTokens } from './text-decoder.ts';
import { PromptEncoder, type BridgeTask } from './prompt-encoder.ts';

const models: ModelName[] = ['qwen2.5', 'qwen3'];
const engines = {} as Record<ModelName, PromptEncoder>;
beforeAll(async () => {
  for (const model of models) engines[model] = await encoderOf(model);
}, 60_000);

const user = '{"role":"user","content":"How many?"}';
const tools = '[{"type":"function","function":{"name":"count","parameters":{"type":"object"}}}]';
const toolCalls = '[{"id":"c1","type":"function","function":{"name":"count","arguments":"{\\"of\\": 1.0}"}}]';
const written = 'Let me count.\n<tool_call>\n{"name": "count", "arguments": {"of": 1.0}}\n</tool_call>';
const called = `{"role":"assistant","content":"Let me count.","tool_calls":${toolCalls}}`;
const results = ['{"role":"tool","tool_call_id":"c1","content":"12"}', '{"role":"user","content":"sure?"}'];
const endOfTurn = 151645;

function completionOf(engine: PromptEncoder, text: string, ...more: number[]): Int32Array {
  return Int32Array.from([...engine.encoder.encode(text), ...more]);
}

interface Bridged extends Omit<BridgeTask, 'lastToken'> {
  previousPrompt: Int32Array;
  previousCompletion: Int32Array;
}

/** The whole of the next prompt. */
function bridge(
  engine: PromptEncoder,
  { previousPrompt, previousCompletion, ...task }: Bridged,
): Int32Array | undefined {
  const next = engine.bridge({ ...task, lastToken: previousCompletion.at(-1) });
  return next && Int32Array.of(...previousPrompt, ...previousCompletion, ...next);
}

describe.each(models)('%s', (model) => {
  it('a bridge over a tool call equals the full render', () => {
    const engine = engines[model];
    const previousPrompt = engine.render({ messages: [user], tools });
    const bridged = bridge(engine, {
      previousPrompt,
      previousCompletion: completionOf(engine, written, endOfTurn),
      newMessages: results,
      tools,
      toolCalls,
    });
    expect(bridged).toEqual(engine.render({ messages: [user, called, ...results], tools }));
  });

  it('a bridge over a plain answer equals the full render', () => {
    const engine = engines[model];
    const previousPrompt = engine.render({ messages: [user] });
    const answer = '{"role":"assistant","content":"Twelve."}';
    const bridged = bridge(engine, {
      previousPrompt,
      previousCompletion: completionOf(engine, 'Twelve.', endOfTurn),
      newMessages: [user],
    });
    expect(bridged).toEqual(engine.render({ messages: [user, answer, user] }));
  });

  it('keeps what was sampled, though text would come back as other tokens', () => {
    const engine = engines[model];
    const previousPrompt = engine.render({ messages: [user] });
    // "Twelve" letter by letter: no tokenizer would write it like this.
    const letters = 'Twelve'.split('').flatMap((letter) => [...engine.encoder.encode(letter)]);
    const previousCompletion = Int32Array.from([...letters, endOfTurn]);
    const bridged = bridge(engine, { previousPrompt, previousCompletion, newMessages: [user] })!;
    const start = [...previousPrompt, ...previousCompletion];
    expect(Array.from(bridged.subarray(0, start.length))).toEqual(start);
    expect(bridged).not.toEqual(
      engine.render({ messages: [user, '{"role":"assistant","content":"Twelve"}', user] }),
    );
  });

  it('closes a turn that was cut off, and never closes one twice', () => {
    const engine = engines[model];
    const decoder = new TextDecoderOfTokens(engine.encoder.tables);
    const previousPrompt = engine.render({ messages: [user] });
    const after = (...completion: number[]): string => {
      const bridged = bridge(engine, {
        previousPrompt,
        previousCompletion: Int32Array.from(completion),
        newMessages: [user],
      })!;
      return decoder.decode(bridged.subarray(previousPrompt.length));
    };
    const next = '\n<|im_start|>user\nHow many?<|im_end|>\n<|im_start|>assistant\n';
    const cut = [...engine.encoder.encode('Twel')];
    expect(after(...cut)).toBe(`Twel<|im_end|>${next}`);
    expect(after(...cut, endOfTurn)).toBe(`Twel<|im_end|>${next}`);
    expect(after()).toBe(`<|im_end|>${next}`);
  });

  it('is refused where it cannot be right', () => {
    const engine = engines[model];
    const task = { previousPrompt: Int32Array.of(1), previousCompletion: Int32Array.of(2) };
    expect(bridge(engine, { ...task, newMessages: [] })).toBeUndefined();
    expect(bridge(engine, { ...task, newMessages: [called] })).toBeUndefined();
  });
});

it('where only the next role ends a turn, its token is not doubled, and another role is refused', async () => {
  const checkpoint = await readModel('qwen3');
  const marks = '{"user": "<|box_start|>", "tool": "<|box_end|>", "assistant": "<|quad_start|>"}';
  const engine = new PromptEncoder({
    ...checkpoint,
    stopTokens: ['<|box_start|>', '<|box_end|>'],
    chatTemplate: `{% set marks = ${marks} %}{% for m in messages %}{{ marks[m.role] }}{{ m.content }}{% endfor %}{% if add_generation_prompt %}{{ marks.assistant }}{% endif %}`,
  });
  const previousPrompt = engine.render({ messages: [user] });
  const [box, endBox] = [151648, 151649];
  const bridged = (role: string, last: number[]): Int32Array | undefined =>
    bridge(engine, {
      previousPrompt,
      previousCompletion: completionOf(engine, 'Twelve.', ...last),
      newMessages: [`{"role":"${role}","content":"12"}`],
    });
  const whole = (role: string): Int32Array =>
    engine.render({
      messages: [user, '{"role":"assistant","content":"Twelve."}', `{"role":"${role}","content":"12"}`],
    });
  expect(bridged('user', [box])).toEqual(whole('user'));
  expect(bridged('tool', [endBox])).toEqual(whole('tool'));
  expect(bridged('tool', [])).toEqual(whole('tool'));
  expect(bridged('tool', [box])).toBeUndefined();
}, 60_000);

describe('templates of other shapes', () => {
  const specialTokens = ['<|user|>', '<|assistant|>', '<|observation|>', '</s>', '<|call|>'];
  const message = (role: string, content: string) => JSON.stringify({ role, content });
  const tail = (source: string, newMessages: string[], toolCalls?: string) => {
    const template = new ChatTemplate(source);
    return findBridgeTail(
      (raw, addGenerationPrompt) =>
        template.render({ messages: raw.map((text) => toTemplateMessage(text, true)), addGenerationPrompt }),
      { newMessages, toolCalls },
      specialTokens,
    );
  };

  it('a turn that only the next role ends has no close', () => {
    const source =
      '{% for m in messages %}<|{{ m.role }}|>\n{{ m.content }}{% endfor %}{% if add_generation_prompt %}<|assistant|>{% endif %}';
    expect(tail(source, [message('user', 'next')])).toEqual({
      text: '<|user|>\nnext<|assistant|>',
      hasClose: false,
    });
  });

  it('a template that insists on the call before its result gets it', () => {
    const source = [
      '{% for m in messages %}{% if m.role == "tool" %}',
      '{% if not messages[loop.index0 - 1].tool_calls %}{{ raise_exception("no call") }}{% endif %}',
      '[{{ messages[loop.index0 - 1].tool_calls[0].function.name }}={{ m.content }}]',
      '{% elif m.tool_calls %}{{ m.tool_calls[0].function.arguments | tojson }}<|call|>',
      '{% else %}{{ m.content }}</s>{% endif %}{% endfor %}',
    ].join('');
    expect(tail(source, [message('tool', '7')], '[{"function":{"name":"look"}}]')).toEqual({
      text: '<|call|>[look=7]',
      hasClose: true,
    });
    expect(tail(source, [message('tool', '7')])).toBeUndefined();
  });

  it('a template that leaves out or changes the answer gives none', () => {
    expect(tail('{% for m in messages %}{{ m.role }}{% endfor %}', [message('user', 'x')])).toBeUndefined();
    expect(
      tail('{% for m in messages %}{{ m.content | upper }}</s>{% endfor %}', [message('user', 'x')]),
    ).toBeUndefined();
  });
});
