import type * as t from '@babel/types';
import { type Adaptation, modelPage, Unsure } from './adaptation.ts';
import { isFunction, type Placed, type SourceFile } from './source-file.ts';

/** Makes what stands at the top of a file, and depends on the rollout, once for each rollout. */
export function keepPerRollout(all: Adaptation, touched: { file: SourceFile; node: Placed }[]): void {
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
      throw new Unsure(file, node, 'it runs when the file is loaded, before any rollout', modelPage);
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
      throw new Unsure(file, top, `${name} is made when the file is loaded`, modelPage);
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

/**
 * Keeps a variable at the top of a file, which the first request fills, for each rollout and once for all users.
 * @returns what does so; undefined for other variables, and for one that other files import
 */
export function keepFilled(all: Adaptation, file: SourceFile, name: string): (() => void) | undefined {
  const variable = file.variable(name);
  const list = variable && file.parent(variable);
  if (list?.type !== 'VariableDeclaration' || list.declarations.length > 1) return undefined;
  const { typeAnnotation } = variable!.id as t.Identifier;
  const isTyped = typeAnnotation?.type === 'TSTypeAnnotation';
  const first = variable!.init ? file.codeOf(variable!.init as Placed) : 'undefined';
  if (
    (isTyped || /\.[cm]?jsx?$/.test(file.path)) &&
    /^(null|undefined)$/.test(first) &&
    ![list, ...file.usesOf(name)].some((use) => file.parent(use)!.type.startsWith('Export'))
  )
    return () => {
      const type = isTyped ? `<${file.codeOf(typeAnnotation.typeAnnotation as Placed)}>` : '';
      const end = file.text[list.end - 1] === ';' ? ';' : '';
      file.edits.overwrite(list.start, list.end, `const ${name} = keptPerRollout${type}(${first})${end}`);
      rewriteUses(file, name, '.value');
      all.need(file, 'kept');
      all.need(file, 'perRollout');
    };
  return undefined;
}

/** The files that know a name of another one, with the name that they give it. */
function usersOf(all: Adaptation, file: SourceFile, name: string): [SourceFile, string][] {
  const found: [SourceFile, string][] = [[file, name]];
  for (const other of all.files.values())
    for (const [local, { from, imported }] of other.imports)
      if (imported === name && all.resolve(other, from) === file) found.push([other, local]);
  return found;
}

function rewriteUses(file: SourceFile, name: string, read = '()'): void {
  for (const use of file.usesOf(name)) {
    const parent = file.parent(use);
    if (parent?.type === 'ExportSpecifier') continue;
    if (parent?.type === 'ExportDefaultDeclaration')
      throw new Unsure(file, parent, `${name} is exported as the default`, modelPage);
    const isShort = parent?.type === 'ObjectProperty' && parent.shorthand;
    file.edits.appendRight(use.end, isShort ? `: ${name}${read}` : read);
  }
}

function hasAwait(file: SourceFile, { start, end }: Placed): boolean {
  return file.nodes.some(
    (node) => node.type === 'AwaitExpression' && node.start > start && node.end <= end && file.isAtTop(node),
  );
}
