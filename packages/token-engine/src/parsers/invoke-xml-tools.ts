import { callWithTexts, type TextParameter } from './call-with-texts.ts';
import type { ParsedToolCall } from './parsed-turn.ts';
import { taggedFormat } from './tagged-format.ts';
import { cutTaggedSections } from './tagged-sections.ts';
import type { ToolFormat } from './tool-parser.ts';
import type { ToolSchemas } from './tool-schemas.ts';

/** How a format of this family spells its tags. */
export interface InvokeXmlTags {
  section: readonly [open: string, close: string];
  /** What precedes `invoke` and `parameter` inside the angle bracket. */
  prefix: string;
  /** What stands between the calls besides blanks. */
  filler?: RegExp;
}

/** `<invoke name="x"><parameter name="k">v</parameter></invoke>` inside a tag: DeepSeek 3.2, MiniMax M2, Step 3. */
export function invokeXmlTools({ prefix, ...tags }: InvokeXmlTags): ToolFormat {
  return taggedFormat({
    ...tags,
    call: [`<${prefix}invoke`, `</${prefix}invoke>`],
    read: (body, schemas) => invokeCall(body, prefix, schemas),
  });
}

const nameAttribute = /^\s+name="([^"]+)"([^>]*)>/;

function invokeCall(body: string, prefix: string, schemas: ToolSchemas): ParsedToolCall | undefined {
  const [head, name] = nameAttribute.exec(body) ?? [];
  if (head === undefined || name === undefined) return undefined;
  const cut = cutTaggedSections(body.slice(head.length), `<${prefix}parameter`, `</${prefix}parameter>`);
  if (cut === undefined || cut.outside.trim() !== '') return undefined;
  const parameters = cut.inside.map(readParameter);
  if (!parameters.every((parameter) => parameter !== undefined)) return undefined;
  return callWithTexts(name, parameters, schemas);
}

function readParameter(text: string): TextParameter | undefined {
  const [head, key, attributes] = nameAttribute.exec(text) ?? [];
  if (head === undefined || key === undefined) return undefined;
  return { key, value: text.slice(head.length), isText: attributes?.includes('string="true"') === true };
}
