import { readFileSync } from 'node:fs';

import { beforeAll, describe, expect, it } from 'vitest';

import { ChatTemplate } from './chat-template.ts';
import { type LosslessJson, parseLossless } from './lossless-json.ts';
import { encoderOf, type ModelName } from './models.fixture.ts';
import type { PromptEncoder } from './prompt-encoder.ts';
import { TextDecoderOfTokens } from './text-decoder.ts';

interface Golden {
  conversations: {
    model: ModelName;
    name: string;
    messages: string[];
    tools: string | null;
    variables: string;
    generate: boolean;
    ids: number[];
  }[];
  templates: { name: string; template: string; messages: string; text: string }[];
  texts: ({ text: string } & Record<ModelName, { ids: number[]; decoded: string }>)[];
}

const golden = JSON.parse(readFileSync(new URL('./golden/golden.json', import.meta.url), 'utf8')) as Golden;
const models: ModelName[] = ['qwen2.5', 'qwen3'];
const engines = {} as Record<ModelName, PromptEncoder>;
const decoders = {} as Record<ModelName, TextDecoderOfTokens>;

beforeAll(async () => {
  for (const model of models) {
    engines[model] = await encoderOf(model);
    decoders[model] = new TextDecoderOfTokens(engines[model].encoder.tables);
  }
});

describe('the ids that apply_chat_template gives in Python', () => {
  it.each(golden.conversations)('$model, $name, generation prompt $generate', (vector) => {
    const ids = engines[vector.model].render({
      messages: vector.messages,
      tools: vector.tools ?? undefined,
      templateArguments: vector.variables,
      addGenerationPrompt: vector.generate,
    });
    expect(Array.from(ids)).toEqual(vector.ids);
  });
});

describe('the text that Jinja2 gives in Python', () => {
  it.each(golden.templates)('$name', ({ template, messages, text }) => {
    const rendered = new ChatTemplate(template).render({
      messages: parseLossless(messages) as LosslessJson[],
      addGenerationPrompt: false,
    });
    expect(rendered).toBe(text);
  });
});

describe.each(models)('the texts of %s', (model) => {
  it('become the same ids', () => {
    for (const vector of golden.texts) {
      const ids = Array.from(engines[model].encoder.encode(vector.text));
      expect({ text: vector.text, ids }).toEqual({ text: vector.text, ids: vector[model].ids });
    }
  });

  it('come back the same', () => {
    for (const vector of golden.texts) {
      const { ids, decoded } = vector[model];
      expect(decoders[model].decode(ids)).toBe(decoded);
    }
  });
});
