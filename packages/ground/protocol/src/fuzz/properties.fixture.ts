import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import fc from 'fast-check';
import { anyJson, anyText, mutated } from '@art/tooling/arbitrary-json';
import { ArtError, type ErrorCode, parseJson, stringifyJson } from '@art/ground';
import { parseInvocationReply } from '../rollout/invocation-reply.ts';
import { parseResultDocument } from '../rollout/result-document.ts';
import { buildResultKey, maxResultKeyBytes } from '../rollout/result-key.ts';
import { parseRolloutConfig } from '../rollout/rollout-config.ts';
import { parseInvocationState } from '../rip/invocation-state.ts';
import { parseRipRequest } from '../rip/rip-request.ts';

export interface FuzzProperty {
  name: string;
  property: fc.IRawProperty<unknown[], false>;
}

/** The value, or undefined where it was refused with one of these codes; every other error is a finding. */
function orRefused<T>(run: () => T, ...codes: ErrorCode[]): T | undefined {
  try {
    return run();
  } catch (error) {
    if (ArtError.isInstance(error) && codes.includes(error.code)) return undefined;
    throw error;
  }
}

const jsonText = fc
  .tuple(anyJson, fc.constantFrom(0, 2), fc.boolean())
  .map(([value, indent, asciiOnly]) => stringifyJson(value, { indent, asciiOnly }));

// What Python adds to JSON, turned into JSON; texts are left alone.
function asStrictJson(text: string): string {
  return text.replaceAll(/"(?:[^"\\]|\\.)*"|NaN|-?Infinity/g, (token) =>
    token.startsWith('"') ? token : '0',
  );
}

interface Member {
  name: string;
  value: Node;
}
type Node =
  | { kind: 'leaf'; text: string }
  | { kind: 'list'; items: Node[] }
  | { kind: 'object'; members: Member[] };

const spelledName = fc
  .tuple(fc.constantFrom('a', 'b', '_rollout', 'constructor', 'prototype', '__proto__', 'x"y'), fc.boolean())
  .map(([name, escaped]) => ({
    name,
    text: escaped
      ? `"\\u${name.charCodeAt(0).toString(16).padStart(4, '0')}${JSON.stringify(name.slice(1)).slice(1)}`
      : JSON.stringify(name),
  }));

/** Trees whose names collide often, with the text of each name. */
const anyTree = fc.letrec<{ node: { tree: Node; text: string } }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    fc.constantFrom('1', '"a"', '"\\"a\\":1"', 'null', '[]', '{}').map((text) => ({
      tree: { kind: 'leaf', text } as Node,
      text,
    })),
    fc.array(tie('node'), { maxLength: 3 }).map((items) => ({
      tree: { kind: 'list', items: items.map((item) => item.tree) } as Node,
      text: `[${items.map((item) => item.text).join(' , ')}]`,
    })),
    fc.array(fc.tuple(spelledName, tie('node')), { maxLength: 3 }).map((members) => ({
      tree: {
        kind: 'object',
        members: members.map(([{ name }, { tree }]) => ({ name, value: tree })),
      } as Node,
      text: `{${members.map(([name, value]) => `${name.text} : ${value.text}`).join(',')}}`,
    })),
  ),
})).node;

function isRefused(tree: Node, ownName = ''): boolean {
  if (tree.kind === 'leaf') return false;
  if (tree.kind === 'list') return tree.items.some((item) => isRefused(item));
  const names = tree.members.map(({ name }) => name);
  return (
    new Set(names).size < names.length ||
    names.includes('__proto__') ||
    (ownName === 'constructor' && names.includes('prototype')) ||
    tree.members.some(({ name, value }) => isRefused(value, name))
  );
}

export const fuzzProperties: FuzzProperty[] = [
  {
    name: 'what is written is read back as it was',
    property: fc.property(anyJson, fc.boolean(), (value, asciiOnly) => {
      deepStrictEqual(parseJson(stringifyJson(value, { asciiOnly, indent: asciiOnly ? 2 : 0 })), value);
    }),
  },
  {
    name: "both ways to read JSON agree, also inside of Python's dialect",
    property: fc.property(jsonText, (text) => {
      deepStrictEqual(parseJson(`[NaN,${text}]`), [Number.NaN, parseJson(text)]);
    }),
  },
  {
    name: 'broken JSON is refused, and nothing is accepted that is none',
    property: fc.property(mutated(jsonText), (text) => {
      const value = orRefused(() => parseJson(text), 'ART_JSON_PARSE');
      if (value === undefined) return;
      // Throws where the text is no JSON even with what Python adds to it.
      JSON.parse(asStrictJson(text));
      orRefused(() => stringifyJson(value), 'ART_JSON_WRITE');
    }),
  },
  {
    name: 'strict reading refuses names that collide or reach for a prototype, and nothing else',
    property: fc.property(anyTree, fc.boolean(), ({ tree, text }, dialect) => {
      const body = dialect ? `[NaN,${text}]` : text;
      strictEqual(
        orRefused(() => parseJson(body, { strict: true }), 'ART_JSON_PARSE') === undefined && text !== 'null',
        isRefused(tree),
      );
    }),
  },
  {
    name: 'a result key is refused or has its parts in their places',
    property: fc.property(
      fc.record({ expId: anyText, inputId: anyText, sessionId: anyText }, { noNullPrototype: true }),
      (parts) => {
        const key = orRefused(() => buildResultKey(parts), 'ART_INVALID_RESULT_KEY');
        if (key === undefined) return;
        ok(Buffer.byteLength(key) <= maxResultKeyBytes);
        ok(!key.split('/').some((segment) => segment === '' || segment === '.' || segment === '..'));
        ok(!/[\u0000-\u001f\u007f]/.test(key) && key.isWellFormed());
        strictEqual(key, `${parts.expId}/${parts.inputId}/${parts.sessionId}.json`);
        ok(!parts.sessionId.includes('/'));
      },
    ),
  },
  {
    name: 'every message is read or refused with its code',
    property: fc.property(fc.oneof(jsonText, mutated(jsonText)), anyJson, (text, value) => {
      orRefused(() => parseInvocationReply(text), 'ART_INVALID_REPLY');
      orRefused(() => parseInvocationState(text, 'inv-1'), 'ART_INVALID_REPLY');
      orRefused(() => parseResultDocument(text), 'ART_INVALID_DOCUMENT');
      orRefused(() => parseRipRequest({ _agentcore_runtime: value }), 'ART_INVALID_RIP_REQUEST');
      orRefused(() => parseRolloutConfig({ _rollout: value }), 'ART_INVALID_ROLLOUT_CONFIG');
    }),
  },
];
