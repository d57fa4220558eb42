import { ArtError } from '@art/protocol';

import { canBeBridged, type Continuation } from './bridge-probe.ts';
import { findBridgeTail } from './bridge-tail.ts';
import { ChatTemplate } from './chat-template.ts';
import type { Checkpoint } from './checkpoint.ts';
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

/** What to render after what was sampled. */
export interface BridgeTask extends Continuation, Omit<RenderTask, 'messages' | 'addGenerationPrompt'> {
  /** The last token of what was sampled; undefined where that was none. */
  lastToken: number | undefined;
}

/** Template and tokenizer of one checkpoint; what a render thread runs. Everything here blocks. */
export class PromptEncoder {
  readonly encoder: TokenEncoder;
  readonly #chatTemplate: ChatTemplate;
  readonly #toolTemplate: ChatTemplate;
  readonly #stops: ReadonlySet<number>;

  constructor(checkpoint: Checkpoint, now?: () => Date) {
    const { chatTemplate, toolTemplate, specialTokens } = checkpoint;
    this.encoder = new TokenEncoder(checkpoint);
    this.#chatTemplate = new ChatTemplate(chatTemplate, specialTokens, now);
    this.#toolTemplate =
      toolTemplate === undefined ? this.#chatTemplate : new ChatTemplate(toolTemplate, specialTokens, now);
    this.#stops = new Set(this.encoder.stopTokenIds);
  }

  render(task: RenderTask): Int32Array {
    return this.encoder.encode(this.#text(task));
  }

  /**
   * What the template puts after the previous prompt and completion. A turn that was cut off gets
   * the token that closes it; one that the model closed is not closed twice. Undefined where that cannot be told from
   * the template; the conversation has to be rendered anew then.
   */
  bridge(task: BridgeTask): Int32Array | undefined {
    if (!canBeBridged(task)) return undefined;
    const tail = findBridgeTail(
      (messages, addGenerationPrompt) => this.#text({ ...task, messages, addGenerationPrompt }),
      task,
      this.encoder.specialTokens,
    );
    if (tail === undefined) return undefined;
    const suffix = this.encoder.encode(tail.text);
    const last = task.lastToken;
    if (last === undefined || !(this.#stops.has(last) || last === suffix[0])) return suffix;
    // A role's own opening token ends the turn before it: another role than the model expected cannot follow.
    return tail.hasClose || last === suffix[0] ? suffix.slice(1) : undefined;
  }

  #text({ messages, tools, templateArguments, addGenerationPrompt = true }: RenderTask): string {
    const template = tools === undefined ? this.#chatTemplate : this.#toolTemplate;
    return template.render({
      messages: messages.map((raw) => toTemplateMessage(raw, template.knowsDeveloper)),
      tools: parseTools(tools),
      addGenerationPrompt,
      variables: parseVariables(templateArguments),
    });
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
