import type * as t from '@babel/types';
import { type Adaptation, Unsure } from './adaptation.ts';
import type { ModelKind } from './rollout-file.ts';
import { isFunction, memberOf, nameOf, type Placed, type SourceFile } from './source-file.ts';

const page = 'adapt#2-the-model-for-each-request';
const generators = [
  'generateText',
  'streamText',
  'generateObject',
  'streamObject',
  'ToolLoopAgent',
  'Experimental_Agent',
];
const plain = /^(Identifier|CallExpression|NewExpression|MemberExpression|StringLiteral|TemplateLiteral)$/;
const chatCall = /\.(chat\.completions|responses)\.(create|stream|parse|runTools)$/;

/** An object in braces that says which model and which prompt are meant. */
interface Settings {
  kind: ModelKind;
  /** The call that gets it. */
  owner: Placed<t.NewExpression | t.CallExpression>;
  /** Names of its members; without a model, the model is chosen elsewhere. */
  model: string | undefined;
  prompts: readonly string[];
}

/**
 * Lets a rollout choose the model and the prompts: where a call takes a model, that of the rollout comes first. What is made at the top of
 * a file is made for each rollout.
 * @throws Unsure
 */
export function adaptModel(all: Adaptation): void {
  const touched: { file: SourceFile; node: Placed }[] = [];
  const prompts = new Map<string, string>();
  for (const file of all.files.values()) {
    const done = new Set<Placed>();
    const use = (kind: ModelKind, node: Placed): void => {
      if (all.kind !== undefined && all.kind !== kind)
        throw new Unsure(file, node, `it asks models by ${kind} and by ${all.kind}`, 'adapt-frameworks');
      all.kind = kind;
    };
    const choose = (kind: ModelKind, given: Placed): void => {
      const node = originOf(file, given);
      if (done.has(node)) return;
      done.add(node);
      use(kind, node);
      refuseKept(file, node);
      const code = plain.test(node.type);
      file.edits.appendLeft(node.start, code ? 'rolloutModel() ?? ' : 'rolloutModel() ?? (');
      if (!code) file.edits.appendRight(node.end, ')');
      all.need(file, 'model');
      touched.push({ file, node });
    };
    for (const node of file.nodes) {
      if (node.type !== 'NewExpression' && node.type !== 'CallExpression') continue;
      const settings = settingsOf(file, node);
      if (settings === undefined) continue;
      const { kind, model, prompts: promptNames } = settings;
      refuseKept(file, node);
      const [object] = node.arguments;
      if (object !== undefined && object.type !== 'ObjectExpression')
        throw new Unsure(file, node, 'the settings of the model are not written in the call', page);
      if (model !== undefined) {
        const member = memberOf(object, model);
        if (member?.type === 'ObjectMethod') throw new Unsure(file, member, 'the model is a function', page);
        if (member !== undefined) choose(kind, member.value as Placed);
        else if (kind === 'strands') {
          use(kind, node);
          // Strands has a model of its own where none is named.
          if (object === undefined) file.edits.appendLeft(node.end - 1, '{ model: rolloutModel() }');
          else file.edits.appendLeft(object.start! + 1, ' model: rolloutModel(),');
          all.need(file, 'model');
          touched.push({ file, node });
        } else throw new Unsure(file, node, `a call names no ${model}`, page);
      }
      const named = kind === 'openai-agents' ? memberOf(object, 'model') : undefined;
      if (named !== undefined) {
        if (named.type === 'ObjectMethod' || /^(Call|New)Expression$/.test(named.value.type))
          throw new Unsure(file, named, 'an agent has a model of its own', 'adapt-frameworks');
        wrap(file, named.value as Placed, 'modelIdOf(');
        all.need(file, 'call');
        touched.push({ file, node: named.value as Placed });
      }
      for (const name of promptNames) {
        const member = memberOf(object, name);
        if (member?.type === 'ObjectProperty' && choosePrompt(all, file, member.value as Placed, prompts))
          touched.push({ file, node: member.value as Placed });
      }
    }
    for (const node of file.nodes) {
      if (
        node.type === 'ForOfStatement' &&
        all.kind === 'ai-sdk' &&
        node.right.type === 'MemberExpression' &&
        nameOf(node.right.property) === 'textStream'
      ) {
        // It ends as if the model had said nothing, where the model fails.
        const { property } = node.right;
        file.edits.overwrite(property.start!, property.end!, 'fullStream');
        wrap(file, node.right as Placed, 'textOf(');
        all.need(file, 'stream');
      } else if (node.type === 'NewExpression') {
        const kind = clientKind(file, node);
        if (kind === undefined || done.has(node)) continue;
        if (kind === 'langchain' && nameOf(node.callee) !== 'ChatOpenAI')
          throw new Unsure(file, node, `a ${nameOf(node.callee)} is used directly`, 'adapt-frameworks');
        choose(kind, node);
      } else if (node.type === 'CallExpression') {
        if (file.isFrom(node.callee, /^@openai\/agents/, ['run'])) {
          use('openai-agents', node);
          file.edits.overwrite(node.callee.start!, node.callee.end!, 'runner().run');
          file.dropImport(nameOf(node.callee));
          all.need(file, 'model');
          all.need(file, 'runner');
        } else if (chatCall.test(file.codeOf(node.callee as Placed)))
          chooseCall(all, file, node, prompts, touched);
      }
    }
  }
  keepPerRollout(all, touched);
}

function settingsOf(
  file: SourceFile,
  owner: Placed<t.NewExpression | t.CallExpression>,
): Settings | undefined {
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

function clientKind(file: SourceFile, { callee }: t.NewExpression): ModelKind | undefined {
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
function originOf(file: SourceFile, node: Placed): Placed {
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

/** Refuses what is kept beyond a request: it would lead other rollouts to the model of the first one. */
function refuseKept(file: SourceFile, node: Placed): void {
  for (const around of [node, ...file.around(node)]) {
    if (around.type.startsWith('Class')) throw new Unsure(file, node, 'a class keeps its model', page);
    if (around.type === 'AssignmentExpression') {
      const { left } = around;
      if (left.type !== 'Identifier' || !file.isShadowed(left))
        throw new Unsure(
          file,
          around,
          `${file.codeOf(left as Placed)} keeps what was made for the first request`,
          page,
        );
    }
  }
}

function choosePrompt(all: Adaptation, file: SourceFile, node: Placed, names: Map<string, string>): boolean {
  if (!isConstantText(all, file, node)) return false;
  const code = file.codeOf(node);
  const name = names.get(code) ?? (names.size === 0 ? 'system' : `system-${names.size + 1}`);
  names.set(code, name);
  wrap(file, node, `promptOf('${name}', `);
  all.need(file, 'prompt');
  return true;
}

function wrap({ edits }: SourceFile, { start, end }: Placed, call: string): void {
  edits.appendLeft(start, call);
  edits.appendRight(end, ')');
}

function isConstantText(all: Adaptation, file: SourceFile, node: t.Node | null | undefined): boolean {
  if (node?.type === 'StringLiteral') return true;
  if (node?.type === 'TemplateLiteral') return node.expressions.length === 0;
  if (node?.type === 'BinaryExpression')
    return isConstantText(all, file, node.left) && isConstantText(all, file, node.right);
  if (node?.type !== 'Identifier' || file.isShadowed(node)) return false;
  const from = file.imports.get(node.name);
  const other = from === undefined ? file : all.resolve(file, from.from);
  return other !== undefined && isConstantText(all, other, other.variable(from?.imported ?? node.name)?.init);
}

/** A call of a client of OpenAI: the rollout's name of the model, and how it samples. */
function chooseCall(
  all: Adaptation,
  file: SourceFile,
  node: Placed<t.CallExpression>,
  prompts: Map<string, string>,
  touched: { file: SourceFile; node: Placed }[],
): void {
  const [object] = node.arguments;
  const model = memberOf(object, 'model');
  if (model?.type !== 'ObjectProperty')
    throw new Unsure(file, node, 'a call of the model does not name it in place', page);
  all.need(file, 'call');
  wrap(file, model.value as Placed, 'modelIdOf(');
  // Behind the agent's own: a trainer learns from what was sampled as it said.
  const last = (object as t.ObjectExpression).properties.at(-1) as Placed;
  file.edits.appendLeft(last.end, `,${file.breakAt(last)}...samplingParams()`);
  const messages = memberOf(object, 'messages');
  if (messages?.type !== 'ObjectProperty' || messages.value.type !== 'ArrayExpression') return;
  for (const message of messages.value.elements) {
    const role = memberOf(message, 'role');
    const content = memberOf(message, 'content');
    if (
      role?.type !== 'ObjectProperty' ||
      content?.type !== 'ObjectProperty' ||
      !/^(system|developer)$/.test(nameOf(role.value))
    )
      continue;
    if (choosePrompt(all, file, content.value as Placed, prompts))
      touched.push({ file, node: content.value as Placed });
  }
}

/** Makes what stands at the top of a file, and depends on the rollout, once for each rollout. */
function keepPerRollout(all: Adaptation, touched: { file: SourceFile; node: Placed }[]): void {
  const names = new Map<string, { file: SourceFile; name: string; isValue: boolean; node: Placed }>();
  const pending = [...touched];
  for (let at = 0; at < pending.length; at += 1) {
    const { file, node } = pending[at]!;
    const outer = file.around(node);
    const isInside = outer.some(isFunction);
    const top = [node, ...outer].findLast(
      (around) => around.type === 'VariableDeclarator' || around.type === 'FunctionDeclaration',
    );
    const isHandler = outer.some(
      (around) => around.type === 'NewExpression' && file.codeOf(around.callee as Placed).endsWith('App'),
    );
    if (isInside && (isHandler || top === undefined)) continue;
    if (
      isHandler ||
      top === undefined ||
      !(top.type === 'FunctionDeclaration' || top.type === 'VariableDeclarator') ||
      top.id?.type !== 'Identifier'
    )
      throw new Unsure(file, node, 'it runs when the file is loaded, before any rollout', page);
    const { name } = top.id;
    const key = `${file.path}#${name}`;
    // A function that is called by others has the rollout of its caller; a value at the top is made too early.
    const isValue = top.type === 'VariableDeclarator' && !(top.init && isFunction(top.init));
    // A callback in a value, such as a tool's, runs in a rollout as well.
    if (isValue && isInside) continue;
    if (names.has(key)) continue;
    const list = file.parent(top);
    if (
      isValue &&
      (list?.type !== 'VariableDeclaration' ||
        list.kind !== 'const' ||
        top.id.typeAnnotation ||
        hasAwait(file, top))
    )
      throw new Unsure(file, top, `${name} is made when the file is loaded`, page);
    names.set(key, { file, name, isValue, node: top });
    for (const [user, local] of usersOf(all, file, name)) {
      for (const use of user.usesOf(local)) pending.push({ file: user, node: use });
      if (isValue) rewriteUses(user, local);
    }
    if (isValue && top.type === 'VariableDeclarator') {
      // Before what has been put there already.
      file.edits.prependLeft(top.init!.start!, 'perRollout(() => ');
      file.edits.appendRight(top.init!.end!, ')');
      all.need(file, 'perRollout');
    }
  }
}

/** The files that know a name of another one, with the name that they give it. */
function usersOf(all: Adaptation, file: SourceFile, name: string): [SourceFile, string][] {
  const found: [SourceFile, string][] = [[file, name]];
  for (const other of all.files.values())
    for (const [local, { from, imported }] of other.imports)
      if (imported === name && all.resolve(other, from) === file) found.push([other, local]);
  return found;
}

function rewriteUses(file: SourceFile, name: string): void {
  for (const use of file.usesOf(name)) {
    const parent = file.parent(use);
    if (parent?.type === 'ExportSpecifier') continue;
    if (parent?.type === 'ExportDefaultDeclaration')
      throw new Unsure(file, parent, `${name} is exported as the default`, page);
    const isShort = parent?.type === 'ObjectProperty' && parent.shorthand;
    file.edits.appendRight(use.end, isShort ? `: ${name}()` : '()');
  }
}

function hasAwait(file: SourceFile, { start, end }: Placed): boolean {
  return file.nodes.some(
    (node) => node.type === 'AwaitExpression' && node.start > start && node.end <= end && file.isAtTop(node),
  );
}
