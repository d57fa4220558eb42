import { stringifyLossless, type LosslessObject } from '../tokens/lossless-json.ts';
import { argumentValue } from './argument-value.ts';
import type { ParsedToolCall } from './parsed-turn.ts';
import { cutTaggedSections } from './tagged-sections.ts';
import type { ToolParser } from './tool-parser.ts';
import type { ToolSchemas } from './tool-schemas.ts';

/** How a format of this family spells its tags. */
export interface InvokeXmlTags {
  open: string;
  close: string;
  /** What precedes `invoke` and `parameter` inside the angle bracket. */
  prefix: string;
  /** What stands between the calls besides blanks. */
  filler?: RegExp | undefined;
}

/** `<invoke name="x"><parameter name="k">v</parameter></invoke>` inside a tag: DeepSeek 3.2, MiniMax M2, Step 3. */
export function invokeXmlTools(tags: InvokeXmlTags): ToolParser {
  return (text, schemas) => {
    const sections = cutTaggedSections(text, tags.open, tags.close);
    if (sections === undefined) return undefined;
    const calls: ParsedToolCall[] = [];
    for (const body of sections.inside) {
      const invokes = cutTaggedSections(body, `<${tags.prefix}invoke`, `</${tags.prefix}invoke>`);
      if (invokes === undefined || invokes.inside.length === 0) return undefined;
      const between = tags.filler === undefined ? invokes.outside : invokes.outside.replace(tags.filler, '');
      if (between.trim() !== '') return undefined;
      for (const invoke of invokes.inside) {
        const call = invokeCall(invoke, tags.prefix, schemas);
        if (call === undefined) return undefined;
        calls.push(call);
      }
    }
    return { content: sections.outside, calls };
  };
}

const nameAttribute = /^\s+name="([^"]+)"([^>]*)>/;

function invokeCall(body: string, prefix: string, schemas: ToolSchemas): ParsedToolCall | undefined {
  const head = nameAttribute.exec(body);
  const name = head?.[1];
  if (head === null || name === undefined) return undefined;
  const parameters = cutTaggedSections(
    body.slice(head[0].length),
    `<${prefix}parameter`,
    `</${prefix}parameter>`,
  );
  if (parameters === undefined || parameters.outside.trim() !== '') return undefined;
  const members: LosslessObject = new Map();
  for (const parameter of parameters.inside) {
    const start = nameAttribute.exec(parameter);
    const key = start?.[1];
    if (start === null || key === undefined) return undefined;
    const value = parameter.slice(start[0].length);
    const isText = start[2]?.includes('string="true"') === true;
    const types = schemas.typesOf(name, key);
    // What the model says of a value yields to what the tool wants.
    members.set(key, isText && types.size === 0 ? value : argumentValue(value, types));
  }
  return { name, arguments: stringifyLossless(members) };
}
