import { joinStrings, writeArray, writeObject } from '../../json-bytes/write-json.ts';

/** One turn of an assistant. Texts are JSON strings with their quotes, tool calls JSON objects. */
interface AssistantTurn {
  /** Which of our answers it belongs to, where its id shows it. */
  key: string | undefined;
  texts: string[];
  reasoning: string[];
  toolCalls: string[];
}

type ChatMessage =
  | { kind: 'text'; role: 'system' | 'user'; content: string }
  | { kind: 'tool'; callId: string; content: string }
  | { kind: 'assistant'; turn: AssistantTurn };

/** A part of an assistant's turn; `text` is a JSON string with its quotes, of a call it is the whole chat tool call. */
export interface AssistantPart {
  kind: 'text' | 'reasoning' | 'call';
  text: string;
  /** Parts with the same key were sampled together. */
  key?: string | undefined;
}

/**
 * The messages of a chat request as they are put together from another wire. Parts of one assistant turn become one
 * message, as the model sampled them: an echoed answer has to render as it was sampled.
 */
export class ChatMessages {
  readonly #messages: ChatMessage[] = [];

  /** True if nothing has been added. */
  get isEmpty(): boolean {
    return this.#messages.length === 0;
  }

  /** True if the last message is the assistant's, with text and nothing else to follow it. */
  get endsWithAssistantText(): boolean {
    const last = this.#messages.at(-1);
    return last?.kind === 'assistant' && last.turn.toolCalls.length === 0 && last.turn.texts.length > 0;
  }

  user(content: string): void {
    this.#messages.push({ kind: 'text', role: 'user', content });
  }

  /** System messages at the head are joined: many chat templates take only one, and only there. */
  system(content: string): void {
    const last = this.#messages.at(-1);
    if (last?.kind === 'text' && last.role === 'system' && this.#messages.length === 1) {
      last.content = joinStrings([last.content, content], '\n');
      return;
    }
    this.#messages.push({ kind: 'text', role: 'system', content });
  }

  toolResult(callId: string, content: string): void {
    this.#messages.push({ kind: 'tool', callId, content });
  }

  /** Begins a new assistant turn whatever came before; parts with its key go to it. */
  beginAssistant(key: string): void {
    this.#messages.push({ kind: 'assistant', turn: { key, texts: [], reasoning: [], toolCalls: [] } });
  }

  assistant(part: AssistantPart): void {
    const turn = this.#turnFor(part);
    turn.key ??= part.key;
    if (part.kind === 'text') turn.texts.push(part.text);
    else if (part.kind === 'reasoning') turn.reasoning.push(part.text);
    else turn.toolCalls.push(part.text);
  }

  /** Adds to the last user message, or to the next one where there is none yet; both as their own texts. */
  appendToLastUser(content: string): boolean {
    const last = this.#messages.at(-1);
    if (last?.kind !== 'text' || last.role !== 'user') return false;
    last.content = joinStrings([last.content, content], '\n');
    return true;
  }

  toJson(): string {
    return writeArray(this.#messages.map(writeMessage));
  }

  #turnFor(part: AssistantPart): AssistantTurn {
    const latest = this.#messages.findLast((message) => message.kind !== 'tool');
    if (latest?.kind === 'assistant') {
      const { turn } = latest;
      // Clients may put a call's result right behind the call, between the calls of one answer.
      if (part.key !== undefined && turn.key === part.key) return turn;
      const isLast = this.#messages.at(-1) === latest;
      const isOtherAnswer = part.key !== undefined && turn.key !== undefined;
      const hasSpoken = turn.texts.length > 0 || turn.toolCalls.length > 0;
      if (isLast && !isOtherAnswer && (part.kind === 'call' || !hasSpoken)) return turn;
    }
    const turn: AssistantTurn = { key: part.key, texts: [], reasoning: [], toolCalls: [] };
    this.#messages.push({ kind: 'assistant', turn });
    return turn;
  }
}

function writeMessage(message: ChatMessage): string {
  switch (message.kind) {
    case 'text':
      return writeObject([
        ['role', JSON.stringify(message.role)],
        ['content', message.content],
      ]);
    case 'tool':
      return writeObject([
        ['role', '"tool"'],
        ['tool_call_id', message.callId],
        ['content', message.content],
      ]);
    case 'assistant': {
      const { texts, reasoning, toolCalls } = message.turn;
      return writeObject([
        ['role', '"assistant"'],
        ['content', joinStrings(texts, '')],
        // vLLM and SGLang both read this name, whichever of the two they write themselves.
        ['reasoning_content', reasoning.length === 0 ? undefined : joinStrings(reasoning, '')],
        ['tool_calls', toolCalls.length === 0 ? undefined : writeArray(toolCalls)],
      ]);
    }
  }
}
