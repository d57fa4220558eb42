import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, it } from 'vitest';

import { readCheckpoint } from './checkpoint.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'art-checkpoint-'));
});
afterEach(() => rm(folder, { recursive: true, maxRetries: 10 }));

const write = (name: string, value: unknown): Promise<void> =>
  writeFile(join(folder, name), typeof value === 'string' ? value : JSON.stringify(value));

it('takes the template from its own file first', async () => {
  await write('tokenizer.json', {});
  await write('tokenizer_config.json', { chat_template: 'in the config' });
  expect(await readCheckpoint(folder)).toMatchObject({ chatTemplate: 'in the config' });
  await write('chat_template.json', { chat_template: 'as JSON' });
  expect(await readCheckpoint(folder)).toMatchObject({ chatTemplate: 'as JSON' });
  await write('chat_template.jinja', 'on its own');
  expect(await readCheckpoint(folder)).toMatchObject({ chatTemplate: 'on its own', toolTemplate: undefined });
});

it('knows templates by name, tokens as objects, and every token that ends a turn', async () => {
  await write('tokenizer.json', {});
  await write('tokenizer_config.json', {
    chat_template: [
      { name: 'default', template: 'plain' },
      { name: 'tool_use', template: 'with tools' },
    ],
    eos_token: { content: '<end>', special: true },
    bos_token: '<start>',
    pad_token: null,
    extra_special_tokens: { image_token: '<image>' },
  });
  await write('generation_config.json', { eos_token_id: [7, 8] });
  await write('config.json', { eos_token_id: 7 });
  expect(await readCheckpoint(folder)).toMatchObject({
    chatTemplate: 'plain',
    toolTemplate: 'with tools',
    specialTokens: { bos_token: '<start>', eos_token: '<end>', image_token: '<image>' },
    stopTokens: ['<end>', 7, 8],
  });
});

it('says which file is missing or broken', async () => {
  const failing = (words: string): Promise<void> =>
    expect(readCheckpoint(folder)).rejects.toMatchObject({
      code: 'ART_TOKENIZER_UNREADABLE',
      message: expect.stringContaining(words) as string,
    });
  await failing('has no tokenizer.json');
  await write('tokenizer.json', '{');
  await failing('tokenizer.json that is not JSON');
  await write('tokenizer.json', '[]');
  await failing('tokenizer.json that is not a JSON object');
  await write('tokenizer.json', {});
  await failing('has no chat template');
});
