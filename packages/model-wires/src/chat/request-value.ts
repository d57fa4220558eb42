import { describeValue } from '@art/protocol';
import { RawJson } from '@art/json-bytes';
import { WireRequestError } from './wire-request-error.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

type JsonKind = 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null';

/**
 * A value of a request, as the text it was written as, with its place for messages. Reading never changes the text:
 * what is kept of a request is spliced through.
 */
export class RequestValue {
  /** Its place in the request: `messages[1].content`; empty for the request itself. */
  readonly path: string;
  readonly #json: RawJson;
  readonly #start: number;
  #text: string | undefined;
  #members: Map<string, RequestValue> | undefined;

  private constructor(json: RawJson, start: number, path: string) {
    this.#json = json;
    this.#start = start;
    this.path = path;
  }

  /** @param text valid JSON */
  static of(text: string, path: string): RequestValue {
    const json = new RawJson(text);
    return new RequestValue(json, json.start, path);
  }

  /**
   * Reads the body of a request, which has to be a JSON object.
   * @throws WireRequestError
   */
  static body(body: Uint8Array | string): RequestValue {
    let text: string;
    try {
      text = typeof body === 'string' ? body : utf8.decode(body);
      JSON.parse(text);
    } catch (error) {
      throw new WireRequestError({
        message: `Expected the body to be JSON in UTF-8: ${error instanceof Error ? error.message : String(error)}.`,
        cause: error,
      });
    }
    const value = RequestValue.of(text, '');
    if (value.kind !== 'object')
      value.refuse(`Expected the body to be a JSON object, got ${value.describe()}.`);
    return value;
  }

  /** Exactly as it was written, without surrounding space. */
  get text(): string {
    this.#text ??= this.#json.text.slice(this.#start, this.#json.endOf(this.#start));
    return this.#text;
  }

  get kind(): JsonKind {
    switch (this.#json.text[this.#start]) {
      case '{':
        return 'object';
      case '[':
        return 'array';
      case '"':
        return 'string';
      case 't':
      case 'f':
        return 'boolean';
      case 'n':
        return 'null';
      default:
        return 'number';
    }
  }

  /** A member's value; undefined where it is missing or null. Of duplicates the last counts, as in every JSON reader. */
  member(name: string): RequestValue | undefined {
    const value = this.members().get(name);
    return value === undefined || value.kind === 'null' ? undefined : value;
  }

  /** All members in the order of their names' first appearance. */
  members(): ReadonlyMap<string, RequestValue> {
    if (this.#members !== undefined) return this.#members;
    this.#expect('object');
    const members = new Map<string, RequestValue>();
    for (const { name, start } of this.#json.members(this.#start)) {
      const path = this.path === '' ? name : `${this.path}.${name}`;
      members.set(name, new RequestValue(this.#json, start, path));
    }
    this.#members = members;
    return members;
  }

  elements(): RequestValue[] {
    this.#expect('array');
    return this.#json
      .elements(this.#start)
      .map((start, index) => new RequestValue(this.#json, start, `${this.path}[${index}]`));
  }

  string(): string {
    this.#expect('string');
    return JSON.parse(this.text) as string;
  }

  /** The string as it was written, quotes included. */
  stringText(): string {
    this.#expect('string');
    return this.text;
  }

  boolean(): boolean {
    this.#expect('boolean');
    return this.text === 'true';
  }

  /** A member that has to be there. */
  required(name: string): RequestValue {
    return (
      this.member(name) ??
      this.refuse(
        `Expected \`${this.path === '' ? name : `${this.path}.${name}`}\`, which is missing or null.`,
      )
    );
  }

  describe(): string {
    return describeValue(JSON.parse(this.text));
  }

  refuse(message: string): never {
    throw new WireRequestError({ message, param: this.path === '' ? undefined : this.path });
  }

  #expect(kind: JsonKind): void {
    if (this.kind === kind) return;
    const article = kind === 'object' || kind === 'array' ? 'an' : 'a';
    this.refuse(`Expected \`${this.path}\` to be ${article} ${kind}, got ${this.describe()}.`);
  }
}
