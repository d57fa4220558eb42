import { ToolCallPlaces } from '../model-wires/chat/tool-call-places.ts';
import type { Fragment, Delta, ToolCallFragment } from './read-delta.ts';

/** How the pieces of one text add up; `join` where nothing is said. */
type PieceRule =
  /** It comes whole each time. */
  | 'whole'
  /** It comes in pieces, and engines that send it whole may send it again. */
  | 'join_unless_repeated';

/** Fields of an object that arrives in pieces: texts grow, other values are replaced. */
class TextFields {
  readonly #texts = new Map<string, string>();
  readonly #values = new Map<string, string>();
  readonly #rules: Readonly<Record<string, PieceRule>>;
  #hasText = false;

  constructor(rules: Readonly<Record<string, PieceRule>> = {}) {
    this.#rules = rules;
  }

  /** True if any text that is joined is not empty. */
  get hasText(): boolean {
    return this.#hasText;
  }

  add(fragment: Fragment): void {
    for (const [name, piece] of fragment.texts) {
      const known = this.#texts.get(name);
      const rule = Object.hasOwn(this.#rules, name) ? this.#rules[name] : undefined;
      if (rule === 'whole') {
        if (known === undefined || piece !== '') this.#texts.set(name, piece);
        continue;
      }
      if (piece !== '') this.#hasText = true;
      if (rule === 'join_unless_repeated' && piece === known) continue;
      this.#texts.set(name, (known ?? '') + piece);
    }
    for (const [name, json] of fragment.values) this.#values.set(name, json);
  }

  has(name: string): boolean {
    return this.#texts.has(name) || this.#values.has(name);
  }

  text(name: string): string | undefined {
    return this.#texts.get(name);
  }

  /** As fields of a JSON object, in the order in which they first came. */
  toMembers(): string[] {
    const members: string[] = [];
    for (const [name, text] of this.#texts) members.push(`${JSON.stringify(name)}:"${text}"`);
    for (const [name, json] of this.#values) {
      if (!this.#texts.has(name)) members.push(`${JSON.stringify(name)}:${json}`);
    }
    return members;
  }
}

interface ToolCallDraft {
  fields: TextFields;
  bodies: Map<string, TextFields>;
}

/**
 * Puts a chat message together from the pieces of a stream: texts are joined, tool calls collected by index. Pieces stay
 * JSON all the way (a character that an engine split between two events is whole again), so nothing is decoded.
 */
export class MessageBuilder {
  readonly #fields = new TextFields({ role: 'whole' });
  readonly #toolCalls = new Map<number, ToolCallDraft>();
  readonly #functionCall = new TextFields({ name: 'join_unless_repeated' });
  #hasFunctionCall = false;
  readonly #places = new ToolCallPlaces();

  /** True if the message has any text or call. */
  get hasContent(): boolean {
    return this.#toolCalls.size > 0 || this.#hasFunctionCall || this.#fields.hasText;
  }

  add(delta: Delta): void {
    this.#fields.add(delta);
    if (delta.functionCall !== undefined) {
      this.#hasFunctionCall = true;
      this.#functionCall.add(delta.functionCall);
    }
    for (const fragment of delta.toolCalls) this.#addToolCall(fragment);
  }

  /** A piece of a completion's text, JSON without quotes. */
  addText(piece: string): void {
    this.#fields.add({ texts: [['content', piece]], values: [] });
  }

  /** The message as JSON text; its fields in the order in which they came, tool calls last. */
  toJson(): string {
    const members = this.#fields.toMembers();
    if (!this.#fields.has('content')) members.unshift('"content":null');
    if (!this.#fields.has('role')) members.unshift('"role":"assistant"');
    if (this.#hasFunctionCall) members.push(`"function_call":{${this.#functionCall.toMembers().join(',')}}`);
    if (this.#toolCalls.size > 0) {
      const calls = [...this.#toolCalls.entries()].toSorted(([a], [b]) => a - b);
      members.push(`"tool_calls":[${calls.map(([, call]) => toolCallJson(call)).join(',')}]`);
    }
    return `{${members.join(',')}}`;
  }

  #addToolCall(fragment: ToolCallFragment): void {
    const hasName = fragment.bodies.some(([, body]) => textOf(body, 'name') !== '');
    const place = this.#places.placeOf({ index: fragment.index, id: textOf(fragment, 'id'), hasName });
    let call = this.#toolCalls.get(place);
    if (call === undefined) {
      call = { fields: new TextFields({ id: 'join_unless_repeated', type: 'whole' }), bodies: new Map() };
      this.#toolCalls.set(place, call);
    }
    call.fields.add(fragment);
    for (const [name, body] of fragment.bodies) addBody(call, name, body);
  }
}

function textOf({ texts }: Fragment, name: string): string {
  return texts.find(([known]) => known === name)?.[1] ?? '';
}

function addBody(call: ToolCallDraft, name: string, body: Fragment): void {
  let fields = call.bodies.get(name);
  if (fields === undefined) {
    fields = new TextFields({ name: 'join_unless_repeated' });
    call.bodies.set(name, fields);
  }
  fields.add(body);
}

function toolCallJson(call: ToolCallDraft): string {
  const members = call.fields.toMembers();
  if (call.fields.text('type') === undefined && call.bodies.has('function')) {
    members.push('"type":"function"');
  }
  for (const [name, fields] of call.bodies) {
    const body = fields.toMembers();
    if (name === 'function' && !fields.has('arguments')) body.push('"arguments":""');
    members.push(`"${name}":{${body.join(',')}}`);
  }
  return `{${members.join(',')}}`;
}
