import { callWithTexts, type TextParameter } from './call-with-texts.ts';
import type { ParsedToolCall } from './parsed-turn.ts';
import { taggedFormat } from './tagged-format.ts';
import type { ToolFormat } from './tool-parser.ts';
import type { ToolSchemas } from './tool-schemas.ts';

/** `<function=name><parameter=key>value</parameter></function>` inside a tag: Qwen 3 Coder, Qwen3.5 to 3.8, Nemotron 3. */
export function functionXmlTools(tag: string): ToolFormat {
  const section = [`<${tag}>`, `</${tag}>`] as const;
  return taggedFormat({
    section,
    call: ['<function=', '</function>'],
    bareWithout: [section[0]],
    endOfInside: endOfParameters,
    read: functionCall,
  });
}

function functionCall(body: string, schemas: ToolSchemas): ParsedToolCall | undefined {
  const head = /^([^>\n]+)>/.exec(body);
  const name = head?.[1]?.trim();
  if (head === null || name === undefined || name === '') return undefined;
  const texts = cutParameters(body.slice(head[0].length));
  const parameters = texts?.map(readParameter);
  if (!parameters?.every((parameter) => parameter !== undefined)) return undefined;
  return callWithTexts(name, parameters, schemas);
}

function readParameter(text: string): TextParameter | undefined {
  const end = text.indexOf('>');
  const key = text.slice(0, end).trim();
  if (end < 0 || key === '') return undefined;
  // One line break on either side belongs to the format, further ones to the value.
  const value = text
    .slice(end + 1)
    .replace(/^\n/, '')
    .replace(/\n$/, '');
  return { key, value };
}

const open = '<parameter=';
const close = '</parameter>';

/** The content of each parameter. A missing or misspelt close is where the next parameter begins. */
function cutParameters(text: string): string[] | undefined {
  const parameters: string[] = [];
  for (let rest = text.trim(); rest !== '';) {
    if (!rest.startsWith(open)) return undefined;
    const end = endOfValue(rest, 0);
    const next = rest.indexOf(open, open.length);
    const isClosed = end >= 0 && (next < 0 || end < next);
    const until = isClosed ? end : next < 0 ? rest.length : next;
    const inside = rest.slice(open.length, until);
    parameters.push(isClosed ? inside : withoutMisspeltClose(inside));
    rest = rest.slice(isClosed ? end + close.length : until).trimStart();
  }
  return parameters;
}

/** Where the close of a value begins: another parameter or the end of the call follows it. Any other one is a part of the value. */
function endOfValue(text: string, from: number): number {
  let end = text.indexOf(close, from);
  while (
    end >= 0 &&
    !/^\s*(?:<parameter=|<\/function>|<\/tool_call>|$)/.test(text.slice(end + close.length))
  ) {
    const next = text.indexOf(close, end + close.length);
    if (next < 0) break;
    end = next;
  }
  return end;
}

/** Where the last parameter of a call ends whose parameters follow each other. */
function endOfParameters(text: string, from: number): number {
  let end = from;
  for (;;) {
    const start = text.indexOf(open, end);
    // A name stands before the first one, and nothing before any other.
    const between = text.slice(end, start < 0 ? undefined : start);
    if (start < 0 || !(end === from ? /^[^<>]*>\s*$/ : /^\s*$/).test(between)) return end;
    const closed = endOfValue(text, start);
    const next = text.indexOf(open, start + open.length);
    const isClosed = closed >= 0 && (next < 0 || closed < next);
    if (!isClosed && next < 0) return end;
    if (isClosed) end = closed + close.length;
    else return start + open.length;
  }
}

function withoutMisspeltClose(text: string): string {
  const trimmed = text.trimEnd();
  const at = trimmed.lastIndexOf('</parameter');
  return at >= 0 && /^<\/parameter\w*>?$/.test(trimmed.slice(at)) ? trimmed.slice(0, at) : text;
}
