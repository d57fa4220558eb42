import { ArtError } from '@art/ground';

import { ChatTemplate } from './chat-template.ts';
import type { ModelCheckpoint } from './checkpoint.ts';
import { parseLossless, type LosslessJson, type LosslessObject } from './lossless-json.ts';
import { toTemplateMessage } from './template-messages.ts';
import { TokenEncoder } from './token-encoder.ts';

/** One conversation to render, everything as the JSON text in which it came. */
export interface RenderTask {
  messages: readonly string[];
  tools?: string | undefined;
  /** `chat_template_kwargs` of the request: a JSON object. */
  templateArguments?: string | undefined;
  /** @default true */
  addGenerationPrompt?: boolean | undefined;
}

/** Template and tokenizer of one checkpoint; what a render thread runs. Everything here blocks. */
export class PromptEncoder {
  readonly encoder: TokenEncoder;
  readonly #chatTemplate: ChatTemplate;
  readonly #toolTemplate: ChatTemplate;

  constructor(checkpoint: ModelCheckpoint, now?: () => Date) {
    const { chatTemplate, toolTemplate, specialTokens } = checkpoint;
    this.encoder = new TokenEncoder(checkpoint);
    this.#chatTemplate = new ChatTemplate(chatTemplate, specialTokens, now);
    this.#toolTemplate =
      toolTemplate === undefined ? this.#chatTemplate : new ChatTemplate(toolTemplate, specialTokens, now);
  }

  render({ messages, tools, templateArguments, addGenerationPrompt = true }: RenderTask): Int32Array {
    const template = tools === undefined ? this.#chatTemplate : this.#toolTemplate;
    const text = template.render({
      messages: messages.map((raw) => toTemplateMessage(raw, template.knowsDeveloper)),
      tools: parseTools(tools),
      addGenerationPrompt,
      variables: parseVariables(templateArguments),
    });
    return this.encoder.encode(text);
  }
}

function parseTools(tools: string | undefined): LosslessJson | undefined {
  if (tools === undefined) return undefined;
  const value = parseLossless(tools);
  // An empty list is no tools at all to `apply_chat_template`'s callers, and to every template.
  return Array.isArray(value) && value.length === 0 ? undefined : value;
}

function parseVariables(text: string | undefined): LosslessObject | undefined {
  if (text === undefined) return undefined;
  const value = parseLossless(text);
  if (value instanceof Map) return value;
  throw new ArtError({
    code: 'ART_GATEWAY_BAD_REQUEST',
    message: `Expected chat_template_kwargs to be an object, got ${text.slice(0, 80)}.`,
  });
}
