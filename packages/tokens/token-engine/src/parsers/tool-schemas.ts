import type { LosslessJson, LosslessObject } from '../tokens/lossless-json.ts';
import { tryLossless } from './json-call.ts';
import { schemasOfProperty, typesOfSchema } from './schema-types.ts';

/** The types that the tools of a request give their parameters; formats without JSON need them to tell 5 from "5". */
export class ToolSchemas {
  readonly #tools = new Map<string, LosslessObject>();

  /** @param tools JSON array, as in the request; what cannot be read is as if it were not there */
  constructor(tools: string | undefined) {
    const listed = tools === undefined ? undefined : tryLossless(tools);
    for (const tool of Array.isArray(listed) ? listed : []) {
      const inner = tool instanceof Map ? (tool.get('function') ?? tool) : undefined;
      const name = inner instanceof Map ? inner.get('name') : undefined;
      if (inner instanceof Map && typeof name === 'string') this.#tools.set(name, inner);
    }
  }

  has(tool: string): boolean {
    return this.#tools.has(tool);
  }

  /** The only tool, or the only one whose parameters have all of these names; undefined where there is none or more than one. */
  onlyToolWith(parameters: Iterable<string>): string | undefined {
    const names = [...parameters];
    if (this.#tools.size === 1) return this.#tools.keys().next().value;
    const known = [...this.#tools.keys()].filter((tool) =>
      names.every((name) => this.#schemasOf(tool, name).length > 0),
    );
    return known.length === 1 ? known[0] : undefined;
  }

  /** Empty where nothing is known of the parameter. */
  typesOf(tool: string, parameter: string): ReadonlySet<string> {
    const root = this.#tools.get(tool)?.get('parameters');
    const types = this.#schemasOf(tool, parameter).flatMap((schema) => [
      ...(typesOfSchema(schema, root) ?? []),
    ]);
    return new Set(types);
  }

  #schemasOf(tool: string, parameter: string): LosslessJson[] {
    return schemasOfProperty(this.#tools.get(tool)?.get('parameters'), parameter);
  }
}
