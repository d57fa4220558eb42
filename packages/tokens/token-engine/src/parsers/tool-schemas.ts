import type { LosslessJson, LosslessObject } from '../tokens/lossless-json.ts';
import { tryLossless } from './json-call.ts';

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
      names.every((name) => this.#schemaOf(tool, name) !== undefined),
    );
    return known.length === 1 ? known[0] : undefined;
  }

  /** Empty where nothing is known of the parameter. */
  typesOf(tool: string, parameter: string): ReadonlySet<string> {
    const types = new Set<string>();
    collectTypes(this.#schemaOf(tool, parameter), types);
    return types;
  }

  #schemaOf(tool: string, parameter: string): LosslessJson | undefined {
    const parameters = this.#tools.get(tool)?.get('parameters');
    const properties = parameters instanceof Map ? parameters.get('properties') : undefined;
    return properties instanceof Map ? properties.get(parameter) : undefined;
  }
}

function collectTypes(schema: LosslessJson | undefined, types: Set<string>): void {
  if (!(schema instanceof Map)) return;
  const type = schema.get('type');
  for (const one of Array.isArray(type) ? type : [type]) if (typeof one === 'string') types.add(one);
  for (const name of ['anyOf', 'oneOf', 'allOf']) {
    const parts = schema.get(name);
    if (Array.isArray(parts)) for (const part of parts) collectTypes(part, types);
  }
  const values = schema.get('enum');
  if (types.size === 0 && Array.isArray(values) && values.every((value) => typeof value === 'string')) {
    types.add('string');
  }
}
