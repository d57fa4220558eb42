import type * as t from '@babel/types';
import { type AdaptNote, serverPage as page, Unsure } from './adaptation.ts';
import { adaptRoute, type RouteFunction } from './adapt-route.ts';
import type { ServerKind } from './request-read.ts';
import { isFunction, nameOf, type Placed, SourceFile } from './source-file.ts';

/** A file whose server is our class, and what a person has to decide about it. */
export interface AdaptedServer {
  file: SourceFile;
  notes: AdaptNote[];
}

interface FoundServer {
  kind: ServerKind;
  name: string;
  declared: Placed<t.VariableDeclarator>;
}

const makers: readonly [ServerKind, RegExp, readonly string[]][] = [
  ['express', /^express$/, ['default', 'express', '*']],
  ['fastify', /^fastify$/, ['default', 'fastify', 'Fastify']],
  ['hono', /^hono$/, ['Hono']],
];
/** Packages of which nothing is left where their server is gone. */
const serverPackages = /^(express|body-parser|fastify|hono|@hono\/node-server)$/;

/**
 * Puts our class in the place of a server that answers `POST /invocations` and `GET /ping` by itself.
 * @returns undefined where a file has no such server
 * @throws Unsure
 */
export function adaptServer(file: SourceFile): AdaptedServer | undefined {
  const found = findServer(file);
  if (found === undefined) return undefined;
  const routes = file.usesOf(found.name).map((use) => {
    const member = file.parent(use);
    const call = member === undefined ? undefined : file.parent(member);
    const isCall =
      member?.type === 'MemberExpression' && call?.type === 'CallExpression' && call.callee === member;
    return { use, name: isCall ? nameOf(member.property) : '', call: isCall ? call : undefined };
  });
  const at = (method: string, path: string) =>
    routes.find(({ name, call }) => {
      const first: t.Node | undefined = call?.arguments[0];
      return name === method && first?.type === 'StringLiteral' && first.value === path;
    });
  const invoked = at('post', '/invocations');
  if (invoked?.call === undefined) return undefined;
  const pinged = at('get', '/ping');
  const started = startOf(file, found, routes);
  const route = invoked.call.arguments.at(-1);
  if (route === undefined || !/^(Arrow)?Function(Expression)?$/.test(route.type))
    throw new Unsure(
      file,
      invoked.call,
      'the function of POST /invocations is not written in its place',
      page,
    );
  const parsers = routes.filter(
    ({ name, call }) => name === 'use' && call?.arguments.every((one) => isParser(file, one)),
  );
  if (!invoked.call.arguments.slice(1, -1).every((one) => isParser(file, one)))
    throw new Unsure(file, invoked.call, 'POST /invocations has middleware', page);
  const own = new Set([invoked, pinged, started.entry, ...parsers].map((one) => one?.use));
  const others = routes.filter(({ use }) => !own.has(use));
  if (others.some(({ call }) => call === undefined))
    throw new Unsure(file, found.declared, `${found.name} is used elsewhere`, page);

  const isFree = (name: string): boolean => file.usesOf(name).every((use) => own.has(use));
  const name = others.length === 0 && isFree('app') ? 'app' : 'agentCore';
  const { head, tail, tookText } = adaptRoute(file, found.kind, route as RouteFunction);
  const statement = statementOf(file, invoked.call);
  const { body } = route as RouteFunction;
  file.edits.overwrite(
    statement.start,
    body.start!,
    `const ${name} = new AgentCoreRLApp({\n  invocationHandler: {\n    ${head}`,
  );
  file.edits.overwrite(body.end!, statement.end, `${tail},\n  },\n});`);
  const isAwaited = file.parent(started.call)?.type === 'AwaitExpression';
  file.edits.overwrite(started.call.start, started.call.end, `${isAwaited ? '' : 'void '}${name}.run()`);
  if (pinged?.call !== undefined) file.removeStatement(statementOf(file, pinged.call));
  if (others.length === 0) {
    for (const { call } of parsers) file.removeStatement(statementOf(file, call!));
    file.removeStatement(file.parent(found.declared)!);
  }
  file.addImport('AgentCoreRLApp', '@art/agent');
  file.addSnapshotSafe();
  const note = (node: Placed, what: string): AdaptNote => ({
    file: file.path,
    line: file.lineOf(node),
    what,
    page,
  });
  return {
    file: indented(withoutUnused(file)),
    notes: [
      ...others.map(({ call }) =>
        note(
          call!,
          `${file.codeOf(call!).slice(0, 60).split('\n')[0]!.trim()} has no server any more; AgentCore asks for /invocations and /ping alone`,
        ),
      ),
      ...(tookText
        ? [note(route as Placed, 'callers sent the prompt as text; they have to send {"prompt": "..."}')]
        : []),
    ],
  };
}

function findServer(file: SourceFile): FoundServer | undefined {
  for (const declared of file.nodes) {
    if (
      declared.type !== 'VariableDeclarator' ||
      !file.isAtTop(declared) ||
      declared.id.type !== 'Identifier'
    )
      continue;
    const { init } = declared;
    if (init?.type !== 'CallExpression' && init?.type !== 'NewExpression') continue;
    const maker = makers.find(([, modules, names]) => file.isFrom(init.callee, modules, names));
    if (maker !== undefined) return { kind: maker[0], name: declared.id.name, declared };
  }
  return undefined;
}

interface Used {
  use: Placed;
  name: string;
  call: Placed<t.CallExpression> | undefined;
}

/** The call that starts to listen. */
function startOf(
  file: SourceFile,
  { kind, name }: FoundServer,
  routes: readonly Used[],
): { call: Placed; entry: Used } {
  for (const entry of routes) {
    const serving = file.around(entry.use).find((around) => around.type === 'CallExpression');
    const call =
      kind === 'hono'
        ? serving?.type === 'CallExpression' && file.isFrom(serving.callee, /^@hono\/node-server$/, ['serve'])
          ? serving
          : undefined
        : entry.name === 'listen'
          ? entry.call
          : undefined;
    if (call === undefined) continue;
    const parent = file.parent(call);
    if (parent?.type !== 'ExpressionStatement' && parent?.type !== 'AwaitExpression')
      throw new Unsure(file, call, 'what listens is kept for later', page);
    const callback = (call as t.CallExpression).arguments.find((one) => isFunction(one));
    if (callback !== undefined && !logsAlone(file, callback))
      throw new Unsure(file, call, 'more is done once it listens than to write a line', page);
    return { call, entry };
  }
  throw new Unsure(file, file.nodes[0]!, `${name} does not listen in this file`, page);
}

function logsAlone(file: SourceFile, callback: Placed): boolean {
  const body = isFunction(callback) ? callback.body : callback;
  const done = body.type === 'BlockStatement' ? body.body : [body];
  return done.every((one) => /^(console|\w*[lL]og(ger)?)\./.test(file.codeOf(one as Placed)));
}

function isParser(file: SourceFile, node: t.Node): boolean {
  if (node.type !== 'CallExpression') return false;
  const { callee } = node;
  return file.isFrom(callee, /^(express|body-parser)$/, ['json', 'raw', 'text', 'urlencoded']);
}

/** @throws Unsure where a call is part of something else */
function statementOf(file: SourceFile, call: Placed): Placed {
  const statement = file.parent(call);
  if (statement?.type !== 'ExpressionStatement') throw new Unsure(file, call, 'the routes are chained', page);
  return statement;
}

/** Without imports and constants of which nothing is left but their names. */
function withoutUnused(before: SourceFile): SourceFile {
  const file = new SourceFile(before.path, before.edited());
  for (const statement of new Set([...file.imports.values()].map((one) => one.statement))) {
    const names = [...file.imports].filter(([, one]) => one.statement === statement);
    if (names.every(([name, { from }]) => serverPackages.test(from) && !isUsed(file, name)))
      file.removeStatement(statement);
  }
  for (const node of file.nodes)
    if (
      node.type === 'VariableDeclarator' &&
      file.isAtTop(node) &&
      node.id.type === 'Identifier' &&
      !file.imports.has(node.id.name) &&
      !isUsed(file, node.id.name) &&
      isUsed(before, node.id.name)
    )
      file.removeStatement(file.parent(node)!);
  return new SourceFile(file.path, file.edited());
}

/** True if a name stands anywhere but in its declaration, also as that of a type. */
function isUsed(file: SourceFile, name: string): boolean {
  return (
    file.usesOf(name).length > 0 ||
    file.nodes.some((node) => node.type === 'TSTypeReference' && file.codeOf(node).split(/\W/, 1)[0] === name)
  );
}

/** The handler stands deeper than the route did. */
function indented(file: SourceFile): SourceFile {
  const created = file.nodes.find(
    (node): node is Placed<t.NewExpression> =>
      node.type === 'NewExpression' && nameOf(node.callee) === 'AgentCoreRLApp',
  )!;
  const templates = file.nodes.filter(({ type }) => type === 'TemplateLiteral');
  const body = file.nodes.find(
    (node) => node.type === 'BlockStatement' && node.start > created.start && node.end < created.end,
  );
  if (body === undefined) return file;
  for (
    let at = file.text.indexOf('\n', body.start);
    at !== -1 && at < body.end;
    at = file.text.indexOf('\n', at + 1)
  )
    if (file.text[at + 1] !== '\n' && !templates.some(({ start, end }) => start < at && at < end))
      file.edits.appendLeft(at + 1, '    ');
  return new SourceFile(file.path, file.edited());
}
