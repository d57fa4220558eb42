import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { ArtError, isJsonObject } from '@art/ground';

/** A checkpoint folder's rules for turning messages into tokens. Plain data, so that it can go to a thread. */
export interface ModelCheckpoint {
  /** The folder, absolute. */
  directory: string;
  /** `tokenizer.json`. */
  tokenizer: Record<string, unknown>;
  /** `tokenizer_config.json`. */
  config: Record<string, unknown>;
  /** For calls without tools, or for all. */
  chatTemplate: string;
  /** Where the checkpoint has its own template for calls with tools. */
  toolTemplate: string | undefined;
  /** `bos_token`, `eos_token` and the like, by name. */
  specialTokens: Record<string, string>;
  /** Tokens that end a turn, by text or by id. */
  stopTokens: readonly (string | number)[];
}

/**
 * Reads `tokenizer.json`, `tokenizer_config.json`, the chat template (`chat_template.jinja`, `chat_template.json` or the one
 * in the config) and, for the tokens that end a turn, `generation_config.json` and `config.json` where they are.
 * Nothing is fetched: a model's name is not a folder.
 * @throws ArtError `ART_TOKENIZER_UNREADABLE` naming the file
 */
export async function readCheckpoint(folder: string): Promise<ModelCheckpoint> {
  const directory = resolve(folder);
  const [tokenizer, config, generation, model] = await Promise.all([
    readJsonFile(directory, 'tokenizer.json'),
    readJsonFile(directory, 'tokenizer_config.json'),
    readJsonFile(directory, 'generation_config.json'),
    readJsonFile(directory, 'config.json'),
  ]);
  if (tokenizer === undefined) {
    throw unreadable(
      directory,
      `has no tokenizer.json. Give the folder of a checkpoint with a fast tokenizer (names of models are not downloaded), or let the engine tokenize`,
    );
  }
  const configuration = config ?? {};
  const templates = await readTemplates(directory, configuration);
  return {
    directory,
    tokenizer,
    config: configuration,
    chatTemplate: templates.chat,
    toolTemplate: templates.tools,
    specialTokens: readSpecialTokens(configuration),
    stopTokens: readStopTokens(configuration, generation, model),
  };
}

interface Templates {
  chat: string;
  tools: string | undefined;
}

async function readTemplates(directory: string, config: Record<string, unknown>): Promise<Templates> {
  const file = await readText(directory, 'chat_template.jinja');
  if (file !== undefined) return { chat: file, tools: undefined };
  const json = await readJsonFile(directory, 'chat_template.json');
  const value = json?.['chat_template'] ?? config['chat_template'];
  if (typeof value === 'string') return { chat: value, tools: undefined };
  if (Array.isArray(value)) {
    const named = new Map<unknown, unknown>(
      value.filter(isJsonObject).map((entry) => [entry['name'], entry['template']]),
    );
    const chat = named.get('default') ?? named.get('tool_use');
    const tools = named.get('tool_use');
    if (typeof chat === 'string') return { chat, tools: typeof tools === 'string' ? tools : undefined };
  }
  throw unreadable(
    directory,
    'has no chat template: expected chat_template.jinja, or chat_template in tokenizer_config.json',
  );
}

const specialTokenNames = [
  'bos_token',
  'eos_token',
  'unk_token',
  'sep_token',
  'pad_token',
  'cls_token',
  'mask_token',
];

function readSpecialTokens(config: Record<string, unknown>): Record<string, string> {
  const tokens: Record<string, string> = {};
  for (const name of specialTokenNames) {
    const text = tokenText(config[name]);
    if (text !== undefined) tokens[name] = text;
  }
  // Tokens that one model family names itself, such as `image_token`.
  const extra = config['extra_special_tokens'];
  if (isJsonObject(extra)) {
    for (const [name, value] of Object.entries(extra)) {
      const text = tokenText(value);
      if (text !== undefined) tokens[name] = text;
    }
  }
  return tokens;
}

function tokenText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  const content = isJsonObject(value) ? value['content'] : undefined;
  return typeof content === 'string' ? content : undefined;
}

function readStopTokens(
  config: Record<string, unknown>,
  ...others: readonly (Record<string, unknown> | undefined)[]
): (string | number)[] {
  const stops = new Set<string | number>();
  const eos = tokenText(config['eos_token']);
  if (eos !== undefined) stops.add(eos);
  for (const other of others) {
    const ids = other?.['eos_token_id'];
    for (const id of Array.isArray(ids) ? ids : [ids]) if (typeof id === 'number') stops.add(id);
  }
  return [...stops];
}

async function readJsonFile(directory: string, name: string): Promise<Record<string, unknown> | undefined> {
  const text = await readText(directory, name);
  if (text === undefined) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw unreadable(directory, `has a ${name} that is not JSON`, cause);
  }
  if (!isJsonObject(value)) throw unreadable(directory, `has a ${name} that is not a JSON object`);
  return value;
}

async function readText(directory: string, name: string): Promise<string | undefined> {
  try {
    return await readFile(join(directory, name), 'utf8');
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw unreadable(directory, `has a ${name} that cannot be read (${code ?? 'unknown error'})`, cause);
  }
}

function unreadable(directory: string, what: string, cause?: unknown): ArtError {
  return new ArtError({
    code: 'ART_TOKENIZER_UNREADABLE',
    message: `The checkpoint ${directory} ${what}.`,
    cause,
  });
}
