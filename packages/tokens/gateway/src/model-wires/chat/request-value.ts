import { describeValue, joinSentences, describeThrown } from '@art/ground';
import { JsonScanner } from '../../json-bytes/json-scanner.ts';
import { WireRequestError } from './wire-request-error.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

type JsonKind = 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null';

// What a value begins with; everything else begins a number.
const kinds: Readonly<Record<string, JsonKind>> = {
  '{': 'object',
  '[': 'array',
  '"': 'string',
  t: 'boolean',
  f: 'boolean',
  n: 'null',
};

/**
 * A value of a request, as the text it was written as, with its place for messages. Reading never changes the text:
 * what is kept of a request is spliced through.
 */
export class RequestValue {
  /** Its place in the request: `messages[1].content`; empty for the request itself. */
  readonly path: string;
  readonly kind: JsonKind;
  readonly #bytes: Buffer;
  readonly #start: number;
  readonly #end: number;
  #text: string | undefined;
  #members: Map<string, RequestValue> | undefined;

  /** The next value of `scanner`, which is left behind it. */
  private constructor(scanner: JsonScanner, path: string) {
    this.path = path;
    this.kind = kinds[String.fromCharCode(scanner.peek())] ?? 'number';
    this.#bytes = scanner.bytes;
    this.#start = scanner.at;
    scanner.skipValue();
    this.#end = scanner.at;
  }

  /** @param text valid JSON */
  static of(text: string, path: string): RequestValue {
    return new RequestValue(new JsonScanner(Buffer.from(text)), path);
  }

  /**
   * Reads the body of a request, which has to be a JSON object.
   * @throws WireRequestError
   */
  static body(body: Uint8Array | string): RequestValue {
    let value: RequestValue;
    try {
      const text = typeof body === 'string' ? body : utf8.decode(body);
      JSON.parse(text);
      value = RequestValue.of(text, '');
    } catch (error) {
      const why = describeThrown(error).message;
      const message = joinSentences(`Expected the body to be JSON in UTF-8: ${why}`);
      throw new WireRequestError({ message, cause: error });
    }
    if (value.kind !== 'object')
      value.refuse(`Expected the body to be a JSON object, got ${value.describe()}.`);
    return value;
  }

  /** Exactly as it was written, without surrounding space. */
  get text(): string {
    this.#text ??= this.#bytes.toString('utf8', this.#start, this.#end);
    return this.#text;
  }

  /** A field's value; undefined where it is missing or null. Of duplicates the last counts, as in every JSON reader. */
  member(name: string): RequestValue | undefined {
    const value = this.members().get(name);
    return value === undefined || value.kind === 'null' ? undefined : value;
  }

  /** All fields in the order of their names' first appearance. */
  members(): ReadonlyMap<string, RequestValue> {
    if (this.#members !== undefined) return this.#members;
    const members = new Map<string, RequestValue>();
    const scanner = this.#scan('object');
    for (let more = scanner.firstMember(); more; more = scanner.nextMember()) {
      const name = scanner.key();
      members.set(name, new RequestValue(scanner, this.#pathOf(name)));
    }
    this.#members = members;
    return members;
  }

  elements(): RequestValue[] {
    const elements: RequestValue[] = [];
    const scanner = this.#scan('array');
    for (let more = scanner.firstItem(); more; more = scanner.nextItem()) {
      elements.push(new RequestValue(scanner, `${this.path}[${elements.length}]`));
    }
    return elements;
  }

  string(): string {
    return JSON.parse(this.stringText()) as string;
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

  /** A field that has to be there. */
  required(name: string): RequestValue {
    return this.member(name) ?? this.refuse(`Expected \`${this.#pathOf(name)}\`, which is missing or null.`);
  }

  describe(): string {
    return describeValue(JSON.parse(this.text));
  }

  refuse(message: string): never {
    throw new WireRequestError({ message, param: this.path === '' ? undefined : this.path });
  }

  #pathOf(name: string): string {
    return this.path === '' ? name : `${this.path}.${name}`;
  }

  #scan(kind: 'object' | 'array'): JsonScanner {
    this.#expect(kind);
    return new JsonScanner(this.#bytes, this.#start, this.#end);
  }

  #expect(kind: JsonKind): void {
    if (this.kind === kind) return;
    const article = kind === 'object' || kind === 'array' ? 'an' : 'a';
    this.refuse(`Expected \`${this.path}\` to be ${article} ${kind}, got ${this.describe()}.`);
  }
}
