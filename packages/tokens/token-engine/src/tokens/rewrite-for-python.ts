import { parse, tokenize } from '@huggingface/jinja';

import { pythonFunctions } from './python-functions.ts';

/** A parsed template, as the interpreter runs it. */
export type TemplateProgram = ReturnType<typeof parse>;

interface Node {
  type: string;
  [member: string]: unknown;
}

/**
 * Makes the interpreter's printing, comparing and a few filters those of Python, by replacing them in the parsed
 * template with calls of `pythonFunctions`. Without this `{{ true }}` prints `true` for `True`, `.strip('\n')` removes
 * blanks as well, `'' == false` holds, and `1.0 | tojson` is `1`.
 */
export function rewriteForPython(program: TemplateProgram): TemplateProgram {
  return rewrite(program);
}

// The classes of the syntax tree are not exported; the interpreter only looks at `type` and the fields.
const sampleCall = (parse(tokenize('{{ f(x) }}')) as unknown as { body: Node[] }).body[0] as Node;

function call(name: string, args: readonly unknown[]): Node {
  const callee = { ...(sampleCall['callee'] as Node), type: 'Identifier', value: name };
  return { type: 'CallExpression', callee, args };
}

function callOf(name: string, args: readonly unknown[]): Node | undefined {
  return Object.hasOwn(pythonFunctions, name) ? call(name, args) : undefined;
}

const blocks = new Set(['body', 'alternate', 'defaultBlock']);
const statements = new Set([
  'Set',
  'If',
  'For',
  'Macro',
  'CallStatement',
  'FilterStatement',
  'Break',
  'Continue',
  'Comment',
]);

function rewrite(node: Node): Node {
  for (const [member, value] of Object.entries(node)) {
    if (Array.isArray(value)) {
      const nodes = value.map(rewriteMember);
      node[member] = blocks.has(member) ? nodes.map(printed) : nodes;
    } else {
      node[member] = rewriteMember(value);
    }
  }
  return replace(node);
}

function rewriteMember(value: unknown): unknown {
  if (value instanceof Map) {
    return new Map(Array.from(value, ([name, member]) => [rewriteMember(name), rewriteMember(member)]));
  }
  return isNode(value) ? rewrite(value) : value;
}

// What stands in a block by itself is printed.
function printed(value: unknown): unknown {
  if (!isNode(value) || statements.has(value.type) || value.type === 'StringLiteral') return value;
  return call('#print', [value]);
}

function replace(node: Node): Node {
  switch (node.type) {
    case 'BinaryExpression': {
      const operator = (node['operator'] as { value: string }).value;
      return callOf(operator, [node['left'], node['right']]) ?? node;
    }
    case 'For': {
      const iterable = node['iterable'] as Node;
      // `for x in list if ...`: the condition stays where it is.
      if (iterable.type === 'SelectExpression') iterable['lhs'] = call('#iterate', [iterable['lhs']]);
      else node['iterable'] = call('#iterate', [iterable]);
      return node;
    }
    case 'FilterExpression': {
      const filter = node['filter'] as Node;
      const named = (filter.type === 'CallExpression' ? filter['callee'] : filter) as Node;
      const args = filter.type === 'CallExpression' ? (filter['args'] as unknown[]) : [];
      return callOf(`|${String(named['value'])}`, [node['operand'], ...args]) ?? node;
    }
    case 'CallExpression': {
      const callee = node['callee'] as Node;
      if (callee.type !== 'MemberExpression' || callee['computed'] === true) return node;
      const method = `.${String((callee['property'] as Node)['value'])}`;
      return callOf(method, [callee['object'], ...(node['args'] as unknown[])]) ?? node;
    }
    default:
      return node;
  }
}

function isNode(value: unknown): value is Node {
  return (
    typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string'
  );
}
