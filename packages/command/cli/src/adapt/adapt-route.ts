import type * as t from '@babel/types';
import { serverPage as page, Unsure } from './adaptation.ts';
import { callOf, isMember, type RequestRead, requestRead, type ServerKind } from './request-read.ts';
import { isFunction, nameOf, type Placed, type SourceFile } from './source-file.ts';

/** A function that answers `POST /invocations`, written in its place. */
export type RouteFunction = Placed<t.ArrowFunctionExpression | t.FunctionExpression>;

/** Text before the body of the handler that a route has become. */
export interface RouteHead {
  head: string;
  /** Text behind the body, where it was an expression. */
  tail: string;
  /** True where callers sent the prompt as text, which is JSON for our class. */
  tookText: boolean;
}

interface Call {
  name: string;
  arguments: Placed[];
}

const replyMembers =
  /^(status|code|json|send|end|write|setHeader|set|header|headers|type|writeHead|flushHeaders|flush)$/;

/**
 * Turns the body of a route into that of a handler of our class: the request is its parameter, what was sent is returned or yielded, and an
 * error is thrown.
 * @throws Unsure
 */
export function adaptRoute(file: SourceFile, kind: ServerKind, route: RouteFunction): RouteHead {
  const [first, second, ...others] = route.params;
  if (first?.type !== 'Identifier' || (second !== undefined && second.type !== 'Identifier'))
    throw new Unsure(file, route, 'the route does not name its request and its response', page);
  for (const other of others)
    if (other.type !== 'Identifier' || file.usesOf(other.name, route).length > 0)
      throw new Unsure(file, route, 'the route passes requests on', page);
  const body = new RouteBody(file, kind, route);
  for (const use of file.usesOf(first.name, route)) body.visit(use, kind !== 'hono');
  if (second !== undefined) for (const use of file.usesOf(second.name, route)) body.visit(use, false);
  return body.head([first, ...(second === undefined ? [] : [second])]);
}

class RouteBody {
  readonly #file: SourceFile;
  readonly #kind: ServerKind;
  readonly #route: RouteFunction;
  readonly #reads: RequestRead[] = [];
  /** Nodes of which nothing is left, so that nothing within them may be changed. */
  readonly #replaced = new Set<Placed>();
  #streams = false;
  #sends = false;

  constructor(file: SourceFile, kind: ServerKind, route: RouteFunction) {
    this.#file = file;
    this.#kind = kind;
    this.#route = route;
  }

  visit(use: Placed, isRequest: boolean): void {
    const member = this.#file.parent(use);
    const isContext = this.#kind === 'hono' && isMember(member) && nameOf(member.property) === 'req';
    if (isRequest || isContext)
      this.#reads.push(requestRead(this.#file, this.#kind, isContext ? member : use));
    else this.#answer(use);
  }

  /** @throws Unsure where a request has no name that is free */
  head(parameters: readonly t.Identifier[]): RouteHead {
    const known = new Set(parameters.map(({ name }) => name));
    const taken = new Set(
      this.#file.nodes.flatMap((node) =>
        node.type === 'Identifier' && !known.has(node.name) && this.#file.around(node).includes(this.#route)
          ? [node.name]
          : [],
      ),
    );
    const request = taken.has('request') ? 'payload' : 'request';
    const asksSession = this.#reads.some(({ what }) => what === 'session');
    if (taken.has(request) || (asksSession && taken.has('context')))
      throw this.#unsure(this.#route, 'the route has other things by the names of the request');
    const typed = /\.[cm]?tsx?$/.test(this.#file.path) ? ': any' : '';
    const list = [
      ...(this.#reads.length > 0 ? [`${request}${typed}`] : []),
      ...(asksSession ? ['context'] : []),
    ].join(', ');
    // Bytes stay what the route makes a text of.
    const isJson = /\bJSON\.parse\(/.test(this.#file.codeOf(this.#route));
    const bytes = `new TextEncoder().encode(${isJson ? `JSON.stringify(${request})` : `${request}.prompt`})`;
    const words = { body: request, prompt: `${request}.prompt`, session: 'context.sessionId', bytes };
    // The outer ones first: nothing is left of what is read within them.
    for (const { node, what } of this.#reads.toSorted(
      (a, b) => b.node.end - b.node.start - a.node.end + a.node.start,
    )) {
      if ([node, ...this.#file.around(node)].some((one) => this.#replaced.has(one))) continue;
      this.#file.edits.overwrite(node.start, node.end, words[what]);
      this.#replaced.add(node);
    }
    if (this.#streams && this.#sends)
      throw this.#unsure(this.#route, 'the route streams, and also answers in one piece');
    const tookText = this.#reads.some(({ what }) => what === 'prompt' || (what === 'bytes' && !isJson));
    const isBlock = this.#route.body.type === 'BlockStatement';
    const head = this.#streams
      ? `async *process(${list}) `
      : `process: ${this.#route.async ? 'async ' : ''}(${list}) => `;
    return { head: isBlock ? head : `${head}(`, tail: isBlock ? '' : ')', tookText };
  }

  #unsure(node: Placed, what: string): Unsure {
    return new Unsure(this.#file, node, what, page);
  }

  #answer(use: Placed): void {
    const { top, calls } = this.#replyOf(use);
    if (this.#file.around(use).some((around) => this.#replaced.has(around))) return;
    if (this.#file.around(use).find(isFunction) !== this.#route)
      throw this.#unsure(use, 'the route answers from within another function');
    if (calls.some(({ name }) => !replyMembers.test(name)))
      throw this.#unsure(use, 'the route does more with its response than to send');
    const statement = this.#file.around(top).find(({ type }) => /Statement$|Function/.test(type))!;
    const direct = [this.#file.parent(top), this.#file.parent(this.#file.parent(top)!)].includes(statement);
    const [sent] = calls.filter(({ name }) => /^(json|send|end|write)$/.test(name));
    const [value] = sent?.arguments ?? [];
    if (!direct) throw this.#unsure(use, 'the route uses its response as a value');
    for (const given of calls.flatMap((call) => call.arguments))
      if (given !== value) this.#replaced.add(given);
    if (sent === undefined || (sent.name === 'end' && value === undefined)) {
      this.#replaced.add(statement);
      if (statement.type === 'ExpressionStatement') this.#file.removeStatement(statement);
      else this.#file.edits.overwrite(statement.start, statement.end, 'return;');
    } else if (sent.name === 'write') this.#yield(statement, value);
    else this.#send(top, statement, sent, this.#statusOf(use, calls, sent));
  }

  #replyOf(use: Placed): { top: Placed; calls: Call[] } {
    const calls: Call[] = [];
    let top = use;
    for (let member = this.#file.parent(top); isMember(member); member = this.#file.parent(top)) {
      const call = callOf(this.#file, member);
      const name = nameOf(member.property);
      if (call === undefined) {
        // A stream that has begun ends; one that has not is answered with an error. A thrown error does both.
        const branch = this.#file.around(use).find(({ type }) => type === 'IfStatement');
        if (name !== 'headersSent' || branch === undefined)
          throw this.#unsure(use, 'the route reads its response');
        this.#throw(branch, undefined);
        return { top, calls };
      }
      calls.push({ name, arguments: call.arguments as Placed[] });
      top = call;
    }
    if (calls.length === 0) throw this.#unsure(use, 'the route gives its response away');
    return { top, calls };
  }

  #statusOf(use: Placed, calls: readonly Call[], sent: Call): number {
    const given = calls.find(({ name }) => /^(status|code)$/.test(name))?.arguments[0] ?? sent.arguments[1];
    if (given === undefined) return 200;
    if (given.type !== 'NumericLiteral') throw this.#unsure(use, 'the status of the answer is computed');
    return given.value;
  }

  #yield(statement: Placed, event: Placed | undefined): void {
    if (statement.type !== 'ExpressionStatement')
      throw this.#unsure(statement, 'the route waits for its response to be written');
    this.#streams = true;
    const { edits } = this.#file;
    const texts =
      event?.type === 'TemplateLiteral' ? event.quasis.map(({ value }) => value.cooked ?? '') : [];
    const constant =
      event?.type === 'StringLiteral' ? event.value : texts.length === 1 ? texts[0]! : undefined;
    const data = constant === undefined ? undefined : /^data: (.*)\n\n$/.exec(constant)?.[1];
    if (data !== undefined) {
      edits.overwrite(statement.start, statement.end, `yield '${data.replaceAll("'", "\\'")}';`);
      return;
    }
    const before = /^(?:event: ([\w-]+)\n)?data: $/.exec(texts[0] ?? '');
    const [inner] = event?.type === 'TemplateLiteral' ? event.expressions : [];
    if (before === null || texts.length !== 2 || texts[1] !== '\n\n' || inner === undefined)
      throw new Unsure(
        this.#file,
        statement,
        'the events of the stream cannot be read',
        'adapt#an-agent-that-streams',
      );
    const isJson =
      inner.type === 'CallExpression' && this.#file.codeOf(inner.callee as Placed) === 'JSON.stringify';
    const value = (isJson ? inner.arguments[0] : inner) as Placed;
    const name = before[1] === undefined ? '' : `event: '${before[1]}', `;
    const isPlain = !isJson && name === '';
    edits.overwrite(statement.start, value.start, isPlain ? 'yield ' : `yield { ${name}data: `);
    edits.overwrite(value.end, statement.end, isPlain ? ';' : ' };');
  }

  #send(top: Placed, statement: Placed, sent: Call, status: number): void {
    const [value] = sent.arguments;
    const { edits } = this.#file;
    const isReturned = statement.type === 'ReturnStatement';
    const isBody = isFunction(statement);
    if (!isReturned && !isBody && !this.#isLast(statement))
      throw this.#unsure(statement, 'the route works on after it has answered');
    if (status >= 400) {
      if (isBody) throw this.#unsure(statement, 'the route answers with an error alone');
      this.#throw(statement, { status, value });
      return;
    }
    const isJson = sent.name === 'json' || value?.type === 'ObjectExpression';
    if (value === undefined || !isJson || /^(String|Template)Literal$/.test(value.type))
      throw this.#unsure(statement, 'the answer may be text, and that of our class is JSON');
    this.#sends = true;
    if (isBody) {
      edits.remove(top.start, value.start);
      edits.remove(value.end, top.end);
      return;
    }
    edits.overwrite(statement.start, value.start, 'return ');
    edits.overwrite(value.end, statement.end, ';');
  }

  /** An error of the agent is seen as such where it is thrown; a refusal keeps its status. */
  #throw(statement: Placed, answered: { status: number; value: Placed | undefined } | undefined): void {
    const { edits } = this.#file;
    const clause = this.#file
      .around(statement)
      .find((around) => around.type === 'CatchClause' || isFunction(around));
    if (clause?.type === 'CatchClause' && (answered === undefined || answered.status >= 500)) {
      if (clause.param?.type !== 'Identifier') throw this.#unsure(clause, 'the error has no name');
      this.#replace(statement, `throw ${clause.param.name};`);
      return;
    }
    if (answered === undefined) throw this.#unsure(statement, 'the route reads its response');
    const { status, value } = answered;
    const members = value?.type === 'ObjectExpression' ? value.properties : [];
    const texts = members.flatMap((member) =>
      member.type === 'ObjectProperty' &&
      /^(error|message|details?|reason|response|reply|text)$/.test(nameOf(member.key))
        ? [member.value]
        : [],
    );
    const text = (texts[0] ?? (/^(String|Template)Literal$/.test(value?.type ?? '') ? value : undefined)) as
      | Placed
      | undefined;
    const end = `), { statusCode: ${status} });`;
    if (text === undefined) {
      this.#replace(statement, `throw Object.assign(new Error('${status}'${end}`);
      return;
    }
    for (const member of members)
      if (member !== this.#file.parent(text)) this.#replaced.add(member as Placed);
    edits.overwrite(statement.start, text.start, 'throw Object.assign(new Error(');
    edits.overwrite(text.end, statement.end, end);
  }

  #replace(statement: Placed, text: string): void {
    this.#file.edits.overwrite(statement.start, statement.end, text);
    this.#replaced.add(statement);
  }

  /** True if nothing happens behind a statement but the end of the response. */
  #isLast(statement: Placed): boolean {
    const parent = this.#file.parent(statement);
    if (parent?.type === 'BlockStatement') {
      const [next, ...others] = parent.body.slice(parent.body.indexOf(statement as t.Statement) + 1);
      if (next?.type === 'ReturnStatement' && next.argument === null) {
        this.#file.removeStatement(next as Placed);
        return others.length === 0;
      }
      return next === undefined && (parent === this.#route.body || this.#isLast(parent));
    }
    return (
      parent !== undefined && /^(If|Try)Statement$|^CatchClause$/.test(parent.type) && this.#isLast(parent)
    );
  }
}
