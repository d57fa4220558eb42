import type * as t from '@babel/types';
import { serverPage as page, Unsure } from './adaptation.ts';
import { nameOf, type Placed, type SourceFile } from './source-file.ts';

export type ServerKind = 'express' | 'fastify' | 'hono';

/** A place where a route reads its request: the body, the prompt that a body of text is, the bytes of either, or the id of the session. */
export interface RequestRead {
  node: Placed;
  what: 'body' | 'prompt' | 'session' | 'bytes';
}

const sessionHeader = 'x-amzn-bedrock-agentcore-runtime-session-id';

/**
 * The place at which a route reads something of its request.
 * @param request the name of the request, or for Hono `c.req`
 * @throws Unsure for anything but body and session
 */
export function requestRead(file: SourceFile, kind: ServerKind, request: Placed): RequestRead {
  const member = file.parent(request);
  const name = isMember(member) ? nameOf(member.property) : '';
  if (name === 'body' && kind !== 'hono') return bodyRead(file, member!);
  const call = callOf(file, member);
  const outer = file.parent(call ?? member!);
  if (call !== undefined && outer?.type === 'AwaitExpression' && kind === 'hono') {
    if (name === 'json') return { node: outer, what: 'body' };
    if (name === 'text') return textRead(file, outer);
    if (name === 'arrayBuffer') return { node: outer, what: 'bytes' };
  }
  if (name === 'headers' && isMember(outer) && outer.computed && isSessionHeader(outer.property))
    return { node: outer, what: 'session' };
  if (call !== undefined && /^(header|get)$/.test(name) && isSessionHeader(call.arguments[0]))
    return { node: call, what: 'session' };
  throw new Unsure(file, request, 'the route reads more of the request than its body', page);
}

/** A body as JSON, or bytes that the route reads as text. */
function bodyRead(file: SourceFile, member: Placed): RequestRead {
  let node = member;
  for (let at = member, up = file.parent(at); up !== undefined; at = up, up = file.parent(at)) {
    const isRead =
      (isMember(up) && up.object === at && nameOf(up.property) === 'toString') ||
      (up.type === 'CallExpression' && /^String$|(^|\.)(decode|from|toString)$/.test(calleeOf(file, up)));
    if (isRead) node = up;
    else if (up.type !== 'TSAsExpression' && !(up.type === 'LogicalExpression' && up.left === at)) break;
  }
  // A choice between bytes and text is the text as a whole.
  const choice = file
    .around(member)
    .find(({ type }) => /Statement$|^VariableDeclarator$|^Conditional/.test(type));
  if (
    choice?.type === 'ConditionalExpression' &&
    /\bisBuffer\(|\btypeof\b/.test(file.codeOf(choice.test as Placed))
  )
    return { node: choice, what: 'prompt' };
  const isText = node.type === 'CallExpression' && !/\bfrom$/.test(calleeOf(file, node));
  return isText ? textRead(file, node) : { node: member, what: 'body' };
}

function textRead(file: SourceFile, node: Placed): RequestRead {
  const parsing = file.parent(node);
  const isJson = parsing?.type === 'CallExpression' && calleeOf(file, parsing) === 'JSON.parse';
  return isJson ? { node: parsing, what: 'body' } : { node, what: 'prompt' };
}

/** The call of a member, where it is called. */
export function callOf(file: SourceFile, member: Placed | undefined): Placed<t.CallExpression> | undefined {
  const call = member === undefined ? undefined : file.parent(member);
  return call?.type === 'CallExpression' && call.callee === member ? call : undefined;
}

export function isMember(node: Placed | undefined): node is Placed<t.MemberExpression> {
  return node?.type === 'MemberExpression' || node?.type === 'OptionalMemberExpression';
}

function calleeOf(file: SourceFile, { callee }: t.CallExpression): string {
  return file.codeOf(callee as Placed);
}

function isSessionHeader(node: t.Node | undefined): boolean {
  return node?.type === 'StringLiteral' && node.value.toLowerCase() === sessionHeader;
}
