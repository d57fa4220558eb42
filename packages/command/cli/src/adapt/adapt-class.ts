import type * as t from '@babel/types';
import { type Adaptation, Unsure } from './adaptation.ts';
import { isFunction, memberOf, type Placed, type SourceFile } from './source-file.ts';

/** Where an agent starts its server. */
export interface FoundApp {
  file: SourceFile;
  created: Placed<t.NewExpression>;
}

/** Names that `@art/agent` has as well. */
const shared: Record<string, string> = {
  BedrockAgentCoreApp: 'AgentCoreRLApp',
  RequestContext: 'RequestContext',
  InvocationHandler: 'InvocationHandler',
  getContext: 'getContext',
};
/** Types among them: without the word `type` Node looks for them when it runs the file as it is. */
const types = /^(RequestContext|InvocationHandler)$/;
const theirs = /^bedrock-agentcore(\/runtime)?$/;

/** The server of an agent; undefined where it has none of AWS's class or ours. */
export function findApp({ files }: Adaptation): FoundApp | undefined {
  for (const file of files.values())
    for (const created of file.nodes)
      if (
        created.type === 'NewExpression' &&
        (file.isFrom(created.callee, theirs, ['BedrockAgentCoreApp']) ||
          file.isFrom(created.callee, /^@art\/agent$/, ['AgentCoreRLApp']))
      )
        return { file, created };
  return undefined;
}

/** The function that answers requests. @throws Unsure */
export function handlerOf({
  file,
  created,
}: FoundApp): Placed<
  t.ObjectMethod | t.FunctionExpression | t.FunctionDeclaration | t.ArrowFunctionExpression
> {
  const handler = memberOf(created.arguments[0], 'invocationHandler');
  const found =
    memberOf(handler?.type === 'ObjectProperty' ? handler.value : undefined, 'process') ??
    memberOf(created.arguments[0], 'handler');
  let value: t.Node | null | undefined = found?.type === 'ObjectProperty' ? found.value : found;
  if (value?.type === 'Identifier') {
    const { name } = value;
    value =
      file.nodes.find(
        (node) => node.type === 'FunctionDeclaration' && node.id?.name === name && file.isAtTop(node),
      ) ?? file.variable(name)?.init;
  }
  if (value && isFunction(value)) return value;
  throw new Unsure(file, created, 'the handler is not written in this file', 'adapt#3-the-reward');
}

/** Puts our class in the place of AWS's in each file. @throws Unsure */
export function adaptClass({ files }: Adaptation, { file: { edits }, created }: FoundApp): void {
  // AWS's class took the function itself before 0.2.
  const early = memberOf(created.arguments[0], 'handler');
  if (early !== undefined) {
    edits.appendLeft(early.start, 'invocationHandler: { ');
    edits.overwrite(early.key.start!, early.key.end!, 'process');
    edits.appendRight(early.end, ' }');
  }
  for (const file of files.values()) {
    const moved = [...file.imports].filter(
      ([, { from, imported }]) => theirs.test(from) && imported in shared,
    );
    const whole = [...file.imports.values()].find(
      ({ from, imported }) => theirs.test(from) && /^(\*|default)$/.test(imported),
    );
    if (whole !== undefined)
      throw new Unsure(file, whole.statement, "AWS's SDK is imported as one object", 'adapt#1-the-class');
    if (moved.length === 0) continue;
    for (const [local, { imported, specifier, statement }] of moved) {
      const isPlain = !/\btype\b/.test(file.codeOf(specifier) + file.codeOf(statement).split('{')[0]);
      const name = `${isPlain && types.test(imported) ? 'type ' : ''}${shared[imported]!}`;
      const isRenamed = local !== imported;
      // The name as it stands in the import, with `type` before it and `as` behind it.
      const at = specifier.start + Math.max(file.codeOf(specifier).indexOf(imported), 0);
      file.edits.overwrite(at, at + imported.length, name);
      if (shared[imported] !== imported && !isRenamed)
        for (const use of file.usesOf(local)) file.edits.overwrite(use.start, use.end, name);
    }
    const [, { statement, from }] = moved[0]!;
    const source = file.nodes.find(
      (node) =>
        node.type === 'StringLiteral' &&
        node.value === from &&
        node.start > statement.start &&
        node.end <= statement.end,
    )!;
    const kept = [...file.imports.values()].filter(
      (other) => other.statement === statement && !(other.imported in shared),
    );
    if (kept.length > 0)
      throw new Unsure(
        file,
        statement,
        `${kept.map(({ imported }) => imported).join(', ')} of AWS's SDK stands in the same import as the class: give it one of its own`,
        'adapt#1-the-class',
      );
    file.edits.overwrite(source.start, source.end, "'@art/agent'");
    file.addSnapshotSafe();
  }
}
