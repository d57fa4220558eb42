import { parse, type ParserOptions } from '@babel/parser';
import type * as t from '@babel/types';
import { ArtError } from '@art/ground';
import MagicString from 'magic-string';

/** A node with its place: of what `@babel/parser` gives, which always has one. */
export type Placed<Node extends t.Node = t.Node> = Node & { start: number; end: number };

/** A name that a file has from a module. */
export interface ImportedName {
  from: string;
  /** Its name there; `default` and `*` are those kinds of imports. */
  imported: string;
  /** The node of this name alone, and the statement around it. */
  specifier: Placed;
  statement: Placed;
}

type AnyFunction = t.FunctionDeclaration | t.FunctionExpression | t.ArrowFunctionExpression | t.ObjectMethod;

export function isFunction(node: t.Node): node is Placed<AnyFunction> {
  return /^(Function(Declaration|Expression)|ArrowFunctionExpression|ObjectMethod|ClassMethod)$/.test(
    node.type,
  );
}

/** A file of the agent: its text, its nodes, and the edits so far, which leave all other characters as they are. */
export class SourceFile {
  readonly path: string;
  readonly text: string;
  edits: MagicString;
  readonly nodes: Placed[] = [];
  readonly imports = new Map<string, ImportedName>();
  /** True for a file that imports by `require`. */
  readonly isCommonJs: boolean;
  readonly #parents = new Map<t.Node, Placed>();

  /** @throws ArtError `ART_INVALID_OPTION` for what is no TypeScript or JavaScript */
  constructor(path: string, text: string) {
    this.path = path;
    this.text = text;
    this.edits = new MagicString(text);
    this.#visit(parsed(path, text));
    for (const node of this.nodes) this.#readImport(node);
    this.isCommonJs =
      ![...this.nodes].some(({ type }) => type === 'ImportDeclaration') && this.imports.size > 0;
  }

  parent(node: t.Node): Placed | undefined {
    return this.#parents.get(node);
  }

  /** All nodes around a node, the nearest first. */
  around(node: t.Node): Placed[] {
    const parent = this.parent(node);
    return parent === undefined ? [] : [parent, ...this.around(parent)];
  }

  codeOf({ start, end }: Placed): string {
    return this.text.slice(start, end);
  }

  lineOf({ start }: Placed): number {
    return this.text.slice(0, start).split('\n').length;
  }

  /** True if a name, or a member of a whole module, means what a module gives, by one of these names and modules. */
  isFrom(node: t.Node, modules: RegExp, names: readonly string[]): boolean {
    if (node.type === 'MemberExpression' && names.includes(nameOf(node.property)))
      return this.isFrom(node.object, modules, ['*', 'default']);
    if (node.type !== 'Identifier' || this.isShadowed(node)) return false;
    const found = this.imports.get(node.name);
    return found !== undefined && modules.test(found.from) && names.includes(found.imported);
  }

  /** The variable at the top of the file by this name. */
  variable(name: string): Placed<t.VariableDeclarator> | undefined {
    return this.nodes.find(
      (node): node is Placed<t.VariableDeclarator> =>
        node.type === 'VariableDeclarator' &&
        this.isAtTop(node) &&
        node.id.type === 'Identifier' &&
        node.id.name === name,
    );
  }

  isAtTop(node: t.Node): boolean {
    return !this.around(node).some(isFunction);
  }

  /**
   * The uses of a name of this file's top, or of a parameter in its function: not its declaration, and none where an inner one has the
   * same name.
   */
  usesOf(name: string, owner?: Placed): Placed<t.Identifier>[] {
    return this.nodes.filter((node): node is Placed<t.Identifier> => {
      if (node.type !== 'Identifier' || node.name !== name || this.isShadowed(node, owner)) return false;
      const parent = this.parent(node);
      if (
        parent === undefined ||
        parent === owner ||
        /^(Import\w*Specifier|TSTypeQuery|TSTypeReference|LabeledStatement)$/.test(parent.type)
      )
        return false;
      if (parent.type === 'VariableDeclarator') return parent.id !== node;
      if (parent.type === 'MemberExpression') return parent.object === node || parent.computed;
      if (parent.type === 'ObjectProperty') return parent.value === node;
      return parent.type !== 'ObjectMethod' || parent.key !== node;
    });
  }

  /** True if a function around a node has a variable or parameter of its name; true for all outside of an owner. */
  isShadowed(node: t.Identifier, owner?: Placed): boolean {
    const around = this.around(node);
    const outer = owner === undefined ? around.length : around.indexOf(owner);
    if (outer === -1) return true;
    return around
      .slice(0, outer)
      .filter(isFunction)
      .some((one) => this.#declaredIn(one).has(node.name));
  }

  /** Adds an import of a name below the others, once; in CommonJS a `require`. */
  addImport(name: string, from: string): void {
    this.#added.set(from, new Set([...(this.#added.get(from) ?? []), name]));
  }

  /** Takes a name out of its import, where others stand beside it. */
  dropImport(name: string): void {
    const { specifier, statement } = this.imports.get(name)!;
    const all = [...this.imports.values()]
      .filter((one) => one.statement === statement)
      .map((one) => one.specifier);
    const at = all.indexOf(specifier);
    if (all.length === 1 || this.#dropped.has(name)) return;
    this.#dropped.add(name);
    if (at > 0) this.edits.remove(all[at - 1]!.end, specifier.end);
    else this.edits.remove(specifier.start, all[1]!.start);
  }
  readonly #dropped = new Set<string>();

  /** Takes a statement out, with the comment above it and the line that it stood in. */
  removeStatement({ start, end, leadingComments }: Placed): void {
    const [rest = ''] = /^[ \t]*\n(?:[ \t]*\n)?/.exec(this.text.slice(end)) ?? [];
    const from = leadingComments?.[0]?.start ?? start;
    const line = this.text.lastIndexOf('\n', from - 1) + 1;
    this.edits.remove(this.text.slice(line, from).trim() === '' ? line : from, end + rest.length);
  }

  /** Adds the import that has to stand before all others. */
  addSnapshotSafe(): void {
    const first = Math.min(...[...this.imports.values()].map(({ statement }) => statement.start));
    const line = this.isCommonJs
      ? "require('@art/agent/snapshot-safe');"
      : "import '@art/agent/snapshot-safe';";
    this.edits.appendLeft(first, `${line}\n`);
  }

  /** The text with all edits. */
  edited(): string {
    const edits = this.edits.clone();
    const at = Math.max(...[...this.imports.values()].map(({ statement }) => statement.end), 0);
    const text = edits.toString();
    for (const [from, names] of this.#added) {
      const used = [...names].filter((name) => new RegExp(`\\b${name}\\b`).test(text));
      if (used.length === 0) continue;
      const list = `{ ${used.toSorted().join(', ')} }`;
      const line = this.isCommonJs ? `const ${list} = require('${from}');` : `import ${list} from '${from}';`;
      edits.appendLeft(at, at === 0 ? `${line}\n` : `\n${line}`);
    }
    return edits.toString();
  }

  /** The line break, and the white space that the line of a node begins with. */
  breakAt({ start }: Placed): string {
    const line = this.text.slice(this.text.lastIndexOf('\n', start - 1) + 1, start);
    return `\n${/^\s*/.exec(line)![0]}`;
  }
  readonly #added = new Map<string, Set<string>>();

  /** @returns what takes back all edits that are made from now on */
  keep(): () => void {
    const edits = this.edits.clone();
    const added = [...this.#added];
    return () => {
      this.edits = edits;
      this.#added.clear();
      for (const [from, names] of added) this.#added.set(from, names);
    };
  }

  #visit(node: Placed, parent?: Placed): void {
    this.nodes.push(node);
    if (parent !== undefined) this.#parents.set(node, parent);
    for (const [key, value] of Object.entries(node))
      if (!/Comments$|^(loc|extra|tokens|errors)$/.test(key))
        for (const child of Array.isArray(value) ? (value as unknown[]) : [value])
          if (isNode(child)) this.#visit(child, node);
  }

  #readImport(node: Placed): void {
    if (node.type === 'ImportDeclaration')
      for (const specifier of node.specifiers) {
        const imported =
          specifier.type === 'ImportDefaultSpecifier'
            ? 'default'
            : specifier.type === 'ImportNamespaceSpecifier'
              ? '*'
              : nameOf(specifier.imported);
        this.#keepImport(specifier.local.name, node.source.value, imported, specifier, node);
      }
    if (node.type !== 'VariableDeclarator' || node.init?.type !== 'CallExpression') return;
    const {
      callee,
      arguments: [from],
    } = node.init;
    if (callee.type !== 'Identifier' || callee.name !== 'require' || from?.type !== 'StringLiteral') return;
    const statement = this.parent(node)!;
    if (node.id.type === 'Identifier')
      this.#keepImport(node.id.name, from.value, 'default', node.id, statement);
    else if (node.id.type === 'ObjectPattern')
      for (const property of node.id.properties)
        if (property.type === 'ObjectProperty' && property.value.type === 'Identifier')
          this.#keepImport(property.value.name, from.value, nameOf(property.key), property, statement);
  }

  #keepImport(local: string, from: string, imported: string, specifier: t.Node, statement: Placed): void {
    this.imports.set(local, { from, imported, specifier: specifier as Placed, statement });
  }

  #declaredIn(around: Placed): Set<string> {
    const known = this.#declared.get(around);
    if (known !== undefined) return known;
    const names = new Set<string>();
    for (const node of this.nodes) {
      if (node.start < around.start || node.end > around.end || node === around) continue;
      if (node.type === 'VariableDeclarator') patternNames(node.id, names);
      else if (node.type === 'FunctionDeclaration' && node.id) names.add(node.id.name);
      else if (node.type === 'CatchClause' && node.param) patternNames(node.param, names);
      if (isFunction(node)) for (const parameter of node.params) patternNames(parameter, names);
    }
    if (isFunction(around)) for (const parameter of around.params) patternNames(parameter, names);
    this.#declared.set(around, names);
    return names;
  }
  readonly #declared = new Map<t.Node, Set<string>>();
}

/** The name of a property or an import, however it is written. */
export function nameOf(node: t.Node): string {
  return node.type === 'Identifier' ? node.name : node.type === 'StringLiteral' ? node.value : '';
}

/** A member of an object in braces. */
export function memberOf(
  object: t.Node | null | undefined,
  name: string,
): Placed<t.ObjectProperty | t.ObjectMethod> | undefined {
  if (object?.type !== 'ObjectExpression') return undefined;
  return object.properties.find(
    (member): member is Placed<t.ObjectProperty | t.ObjectMethod> =>
      member.type !== 'SpreadElement' && nameOf(member.key) === name,
  );
}

function patternNames(pattern: t.Node, names: Set<string>): void {
  if (pattern.type === 'Identifier') names.add(pattern.name);
  else if (pattern.type === 'AssignmentPattern') patternNames(pattern.left, names);
  else if (pattern.type === 'RestElement') patternNames(pattern.argument, names);
  else if (pattern.type === 'ArrayPattern') {
    for (const element of pattern.elements) if (element) patternNames(element, names);
  } else if (pattern.type === 'ObjectPattern') {
    for (const property of pattern.properties)
      patternNames(property.type === 'RestElement' ? property : property.value, names);
  }
}

function isNode(value: unknown): value is Placed {
  return typeof value === 'object' && value !== null && typeof (value as t.Node).type === 'string';
}

function parsed(path: string, text: string): Placed {
  const isScript = /\.[cm]?jsx?$/.test(path);
  const plugins: ParserOptions['plugins'] = isScript
    ? ['jsx']
    : path.endsWith('x')
      ? ['typescript', 'jsx']
      : ['typescript'];
  try {
    return parse(text, { sourceType: 'unambiguous', plugins, allowReturnOutsideFunction: true })
      .program as Placed;
  } catch (cause) {
    throw new ArtError({
      code: 'ART_INVALID_OPTION',
      message: `Expected TypeScript or JavaScript in ${path}, got what cannot be read: ${(cause as Error).message}.`,
      cause,
    });
  }
}
