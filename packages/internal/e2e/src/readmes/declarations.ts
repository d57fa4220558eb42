import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { API, type Checker, SymbolFlags, type Symbol as Declared } from 'typescript/unstable/sync';
import { packageOf, workspaceRoot } from '../workspace-packages.ts';

/** A member of an exported interface. */
export interface DeclaredMember {
  name: string;
  isRequired: boolean;
  /** As TypeScript writes it, without `undefined`. */
  type: string;
  /** The docstring in one line, without tags. */
  text: string;
  /** Text of its `@default`. */
  byDefault: string | undefined;
}

/** Exports of a package, as the compiler understands them. */
export class PackageDeclarations implements Disposable {
  readonly #folder: string;
  readonly #api: API;
  readonly #checker: Checker;
  readonly #exports: ReadonlyMap<string, Declared>;

  /** @param entries modules that others import, below `src` */
  constructor(folder: string, entries: readonly string[]) {
    const root = join(workspaceRoot, packageOf(folder).path);
    const files = entries.map((entry) => join(root, 'src', entry));
    this.#folder = mkdtempSync(join(tmpdir(), 'art-declarations-'));
    const openProject = join(this.#folder, 'tsconfig.json');
    writeFileSync(
      openProject,
      JSON.stringify({ extends: join(workspaceRoot, 'packages/tsconfig.json'), files, include: [] }),
    );
    this.#api = new API({ cwd: root });
    const [project] = this.#api.updateSnapshot({ openProject }).getProjects();
    const { checker, program } = project!;
    this.#checker = checker;
    const exported = files.flatMap((name) => {
      const file = program.getSourceFile(name)!;
      return checker.getExportsOfModule(checker.getSymbolAtLocation(file)!);
    });
    this.#exports = new Map(
      exported.map((symbol) => {
        const isAlias = (symbol.flags & SymbolFlags.Alias) !== 0;
        return [symbol.name, isAlias ? checker.getAliasedSymbol(symbol) : symbol];
      }),
    );
  }

  /** Functions, classes and constants by name, each with the docstring in one line. */
  values(): Map<string, string> {
    return this.#described((symbol) => (symbol.flags & SymbolFlags.Value) !== 0);
  }

  /** Interfaces and type aliases, likewise. */
  types(): Map<string, string> {
    return this.#described((symbol) => (symbol.flags & SymbolFlags.Value) === 0);
  }

  describe(name: string): string {
    return this.#textOf(this.#export(name));
  }

  /** Members of an interface or class, with those that it inherits. */
  members(name: string): DeclaredMember[] {
    const type = this.#checker.getDeclaredTypeOfSymbol(this.#export(name));
    return this.#checker.getPropertiesOfType(type).map((member) => {
      const tags = member.getJsDocTags(this.#checker);
      const written = this.#checker.typeToString(this.#checker.getTypeOfSymbol(member)!);
      return {
        name: member.name,
        isRequired: (member.flags & SymbolFlags.Optional) === 0,
        type: written.replace(/ \| undefined$/, '').replace(/^\((\(.*)\)$/, '$1'),
        text: this.#textOf(member),
        byDefault: oneLine(tags.find((tag) => tag.name === 'default')?.text),
      };
    });
  }

  [Symbol.dispose](): void {
    this.#api.close();
    rmSync(this.#folder, { recursive: true });
  }

  #export(name: string): Declared {
    const found = this.#exports.get(name);
    if (found === undefined) throw new Error(`There is no export ${name}.`);
    return found;
  }

  #described(isMeant: (symbol: Declared) => boolean): Map<string, string> {
    const found = [...this.#exports].filter(([, symbol]) => isMeant(symbol));
    return new Map(found.map(([name, symbol]) => [name, this.#textOf(symbol)]));
  }

  #textOf(symbol: Declared): string {
    return oneLine(symbol.getDocumentationComment(this.#checker)) ?? '';
  }
}

function oneLine(text: string | undefined): string | undefined {
  return text?.replaceAll(/\s+/g, ' ').trim();
}
