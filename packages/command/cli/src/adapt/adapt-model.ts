import type * as t from '@babel/types';
import { type Adaptation, modelPage, Unsure } from './adaptation.ts';
import { keepFilled, keepPerRollout } from './keep-per-rollout.ts';
import { clientKind, originOf, settingsOf } from './model-settings.ts';
import type { ModelKind } from './rollout-file.ts';
import { memberOf, nameOf, type Placed, type SourceFile } from './source-file.ts';

const plain = /^(Identifier|CallExpression|NewExpression|MemberExpression|StringLiteral|TemplateLiteral)$/;
const chatCall = /\.(chat\.completions|responses)\.(create|stream|parse|runTools)$/;

/**
 * Lets a rollout choose the model and the prompts: where a call takes a model, that of the rollout comes first. What is made at the top of
 * a file is made for each rollout.
 * @throws Unsure
 */
export function adaptModel(all: Adaptation): void {
  const touched: { file: SourceFile; node: Placed }[] = [];
  const prompts = new Map<string, string>();
  const filled = new Map<string, () => void>();
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
      refuseKept(all, file, node, filled);
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
      refuseKept(all, file, node, filled);
      const [object] = node.arguments;
      if (object !== undefined && object.type !== 'ObjectExpression')
        throw new Unsure(file, node, 'the settings of the model are not written in the call', modelPage);
      if (model !== undefined) {
        const member = memberOf(object, model);
        if (member?.type === 'ObjectMethod')
          throw new Unsure(file, member, 'the model is a function', modelPage);
        if (member !== undefined) choose(kind, member.value as Placed);
        else if (kind === 'strands') {
          use(kind, node);
          // Strands has a model of its own where none is named.
          if (object === undefined) file.edits.appendLeft(node.end - 1, '{ model: rolloutModel() }');
          else file.edits.appendLeft(object.start! + 1, ' model: rolloutModel(),');
          all.need(file, 'model');
          touched.push({ file, node });
        } else throw new Unsure(file, node, `a call names no ${model}`, modelPage);
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
        /^(ai-sdk|mastra)$/.test(all.kind ?? '') &&
        node.right.type === 'MemberExpression' &&
        /^(text|full)Stream$/.test(nameOf(node.right.property))
      ) {
        // Such a stream ends as if the model had said nothing, where the model fails, unless the agent looks for that.
        if (/['"]error['"]/.test(file.codeOf(node.body as Placed))) continue;
        const { property } = node.right;
        const isText = nameOf(property) === 'textStream';
        if (isText) file.edits.overwrite(property.start!, property.end!, 'fullStream');
        wrap(file, node.right as Placed, isText ? 'textOf(' : 'partsOf(');
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
          if (node.callee.type === 'Identifier') file.dropImport(node.callee.name);
          all.need(file, 'model');
          all.need(file, 'runner');
        } else if (chatCall.test(file.codeOf(node.callee as Placed)))
          chooseCall(all, file, node, prompts, touched);
      }
    }
  }
  if (all.kind === undefined) {
    const [first] = all.files.values();
    throw new Unsure(
      first!,
      first!.nodes[0]!,
      'no model is asked by a library that this command knows',
      'adapt-frameworks',
    );
  }
  keepPerRollout(all, touched);
  for (const keep of filled.values()) keep();
}

/**
 * Refuses what is kept beyond a request: it would lead other rollouts to the model of the first one.
 * @param filled gets what keeps a variable for each rollout, where that can be done
 */
function refuseKept(all: Adaptation, file: SourceFile, node: Placed, filled: Map<string, () => void>): void {
  for (const around of [node, ...file.around(node)]) {
    if (around.type.startsWith('Class')) throw new Unsure(file, node, 'a class keeps its model', modelPage);
    if (around.type !== 'AssignmentExpression') continue;
    const { left } = around;
    if (left.type === 'Identifier' && file.isShadowed(left)) continue;
    const name = file.codeOf(left as Placed);
    const keep = left.type === 'Identifier' ? keepFilled(all, file, name) : undefined;
    if (keep === undefined)
      throw new Unsure(file, around, `${name} keeps what was made for the first request`, modelPage);
    filled.set(`${file.path}#${name}`, keep);
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
    throw new Unsure(file, node, 'a call of the model does not name it in place', modelPage);
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
