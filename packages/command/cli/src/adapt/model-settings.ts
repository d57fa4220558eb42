import type * as t from '@babel/types';
import type { ModelKind } from './rollout-file.ts';
import { isFunction, type Placed, type SourceFile } from './source-file.ts';

const generators = [
  'generateText',
  'streamText',
  'generateObject',
  'streamObject',
  'ToolLoopAgent',
  'Experimental_Agent',
];

/** An object in braces that says which model and which prompt are meant. */
export interface ModelSettings {
  kind: ModelKind;
  /** The call that gets it. */
  owner: Placed<t.NewExpression | t.CallExpression>;
  /** Names of its members; without a model, the model is chosen elsewhere. */
  model: string | undefined;
  prompts: readonly string[];
}

/** The settings of a call that a framework makes an agent or an answer of; undefined for any other call. */
export function settingsOf(
  file: SourceFile,
  owner: Placed<t.NewExpression | t.CallExpression>,
): ModelSettings | undefined {
  const { callee } = owner;
  if (file.isFrom(callee, /^@strands-agents\/sdk$/, ['Agent']) && owner.type === 'NewExpression')
    return { kind: 'strands', owner, model: 'model', prompts: ['systemPrompt'] };
  if (file.isFrom(callee, /^ai$/, generators))
    return { kind: 'ai-sdk', owner, model: 'model', prompts: ['system', 'instructions'] };
  if (file.isFrom(callee, /^langchain$/, ['createAgent']))
    return { kind: 'langchain', owner, model: 'model', prompts: ['systemPrompt'] };
  if (file.isFrom(callee, /^@langchain\/langgraph\/prebuilt$/, ['createReactAgent']))
    return { kind: 'langchain', owner, model: 'llm', prompts: ['prompt'] };
  if (file.isFrom(callee, /^@mastra\/core(\/agent)?$/, ['Agent']))
    return { kind: 'mastra', owner, model: 'model', prompts: ['instructions'] };
  if (file.isFrom(callee, /^@openai\/agents/, ['Agent']) && owner.type === 'NewExpression')
    return { kind: 'openai-agents', owner, model: undefined, prompts: ['instructions'] };
  return undefined;
}

/** The kind of a client that is made without settings of an agent. */
export function clientKind(file: SourceFile, { callee }: t.NewExpression): ModelKind | undefined {
  if (file.isFrom(callee, /^openai$/, ['default', 'OpenAI'])) return 'openai';
  if (file.isFrom(callee, /^@openai\/agents/, ['Runner'])) return 'openai-agents';
  const from = callee.type === 'Identifier' ? file.imports.get(callee.name) : undefined;
  return from !== undefined &&
    /^@langchain\/(?!core|langgraph)/.test(from.from) &&
    from.imported.startsWith('Chat')
    ? 'langchain'
    : undefined;
}

/** Where a value was made: the initializer, where a name without a type of its own stands for it. */
export function originOf(file: SourceFile, node: Placed): Placed {
  if (node.type !== 'Identifier') return node;
  const declared = file.nodes.filter(
    (other): other is Placed<t.VariableDeclarator> =>
      other.type === 'VariableDeclarator' && other.id.type === 'Identifier' && other.id.name === node.name,
  );
  const near = declared.filter(
    (one) =>
      file.isAtTop(one) ||
      file
        .around(node)
        .some((around) => isFunction(around) && around.start <= one.start && around.end >= one.end),
  );
  const [only] = near;
  if (near.length !== 1 || only === undefined || !only.init || (only.id as t.Identifier).typeAnnotation)
    return node;
  const list = file.parent(only);
  return list?.type === 'VariableDeclaration' && list.kind === 'const'
    ? originOf(file, only.init as Placed)
    : node;
}
