import { stringifyLossless, type LosslessObject } from '../tokens/lossless-json.ts';
import { argumentValue } from './argument-value.ts';
import type { ParsedToolCall } from './parsed-turn.ts';
import { cutTaggedSections } from './tagged-sections.ts';
import type { ToolParser } from './tool-parser.ts';
import type { ToolSchemas } from './tool-schemas.ts';

/** `<function=name><parameter=key>value</parameter></function>` inside a tag: Qwen 3 Coder, Seed OSS. */
export function functionXmlTools(open: string, close: string): ToolParser {
  return (text, schemas) => {
    // The outer tag is left out now and then.
    const wrapped = text.includes(open);
    const sections = wrapped
      ? cutTaggedSections(text, open, close)
      : cutTaggedSections(text, '<function=', '</function>');
    if (sections === undefined) return undefined;
    const bodies = wrapped ? sections.inside.flatMap(innerFunctions) : sections.inside;
    const calls = bodies.map((body) => (body === undefined ? undefined : functionCall(body, schemas)));
    if (!calls.every((call) => call !== undefined)) return undefined;
    return { content: sections.outside, calls };
  };
}

function innerFunctions(body: string): (string | undefined)[] {
  const functions = cutTaggedSections(body, '<function=', '</function>');
  const clean = functions !== undefined && functions.inside.length > 0 && functions.outside.trim() === '';
  return clean ? [...functions.inside] : [undefined];
}

function functionCall(body: string, schemas: ToolSchemas): ParsedToolCall | undefined {
  const head = /^([^>\n]+)>/.exec(body);
  const name = head?.[1]?.trim();
  if (head === null || name === undefined || name === '') return undefined;
  const parameters = cutParameters(body.slice(head[0].length));
  if (parameters === undefined) return undefined;
  const members: LosslessObject = new Map();
  for (const parameter of parameters) {
    const end = parameter.indexOf('>');
    const key = parameter.slice(0, end).trim();
    if (end < 0 || key === '') return undefined;
    // One line break on either side belongs to the format, further ones to the value.
    const value = parameter
      .slice(end + 1)
      .replace(/^\n/, '')
      .replace(/\n$/, '');
    members.set(key, argumentValue(value, schemas.typesOf(name, key)));
  }
  return { name, arguments: stringifyLossless(members) };
}

const open = '<parameter=';
const close = '</parameter>';

/** What stands in each parameter. The close that one lacks, or has misspelt, is where the next one begins. */
function cutParameters(text: string): string[] | undefined {
  const parameters: string[] = [];
  for (let rest = text.trim(); rest !== '';) {
    if (!rest.startsWith(open)) return undefined;
    const end = rest.indexOf(close);
    const next = rest.indexOf(open, open.length);
    const isClosed = end >= 0 && (next < 0 || end < next);
    const until = isClosed ? end : next < 0 ? rest.length : next;
    const inside = rest.slice(open.length, until);
    parameters.push(isClosed ? inside : withoutMisspeltClose(inside));
    rest = rest.slice(isClosed ? end + close.length : until).trimStart();
  }
  return parameters;
}

function withoutMisspeltClose(text: string): string {
  const trimmed = text.trimEnd();
  const at = trimmed.lastIndexOf('</parameter');
  return at >= 0 && /^<\/parameter\w*>?$/.test(trimmed.slice(at)) ? trimmed.slice(0, at) : text;
}
