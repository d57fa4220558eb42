import { callWithTexts, type TextParameter } from './call-with-texts.ts';
import type { ParsedToolCall } from './parsed-turn.ts';
import { taggedFormat } from './tagged-format.ts';
import type { ToolSchemas } from './tool-schemas.ts';

/** `<tool_call>name <arg_key>k</arg_key><arg_value>v</arg_value></tool_call>`: GLM 4.5 and later. */
export const glmTools = taggedFormat({
  section: ['<tool_call>', '</tool_call>'],
  mustClose: true,
  endOfInside: endOfArguments,
  read: glmCall,
});

/** One argument at the beginning of a text, up to where its value begins. */
const opening = /^\s*<arg_key>([^<]*)<\/arg_key>\s*<arg_value>/;
const close = '</arg_value>';

/** Where the close of a value begins: another argument or the end of the call follows it. Any other one is a part of the value. */
function endOfValue(text: string): number {
  let end = text.indexOf(close);
  while (end >= 0 && !/^\s*(?:<arg_key>|<\/tool_call>|$)/.test(text.slice(end + close.length))) {
    const next = text.indexOf(close, end + close.length);
    if (next < 0) break;
    end = next;
  }
  return end;
}

/** The arguments that follow each other from the beginning on, and what is behind them. */
function cutArguments(text: string): { parameters: TextParameter[]; rest: string } {
  const parameters: TextParameter[] = [];
  let rest = text;
  for (let head = opening.exec(rest); head !== null; head = opening.exec(rest)) {
    const inside = rest.slice(head[0].length);
    const end = endOfValue(inside);
    if (end < 0) break;
    parameters.push({ key: head[1]!.trim(), value: inside.slice(0, end) });
    rest = inside.slice(end + close.length);
  }
  return { parameters, rest: rest.trimStart() };
}

function endOfArguments(text: string, from: number): number {
  const start = text.indexOf('<arg_key>', from);
  if (start < 0 || text.slice(from, start).includes('<')) return from;
  return text.length - cutArguments(text.slice(start)).rest.length;
}

function glmCall(body: string, schemas: ToolSchemas): ParsedToolCall | undefined {
  const start = body.indexOf('<arg_key>');
  const name = (start < 0 ? body : body.slice(0, start)).trim();
  if (name === '' || /[\s<>]/.test(name)) return undefined;
  const { parameters, rest } = cutArguments(start < 0 ? '' : body.slice(start));
  return rest === '' ? callWithTexts(name, parameters, schemas) : undefined;
}
