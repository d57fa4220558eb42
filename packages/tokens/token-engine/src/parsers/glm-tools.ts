import { callWithTexts, type TextParameter } from './call-with-texts.ts';
import type { ParsedToolCall } from './parsed-turn.ts';
import { taggedFormat } from './tagged-format.ts';
import type { ToolSchemas } from './tool-schemas.ts';

/** `<tool_call>name <arg_key>k</arg_key><arg_value>v</arg_value></tool_call>`: GLM 4.5 and later. */
export const glmTools = taggedFormat({
  section: ['<tool_call>', '</tool_call>'],
  mustClose: true,
  read: glmCall,
});

const argument = /\s*<arg_key>([\s\S]*?)<\/arg_key>\s*<arg_value>([\s\S]*?)<\/arg_value>\s*/g;

function glmCall(body: string, schemas: ToolSchemas): ParsedToolCall | undefined {
  const start = body.indexOf('<arg_key>');
  const name = (start < 0 ? body : body.slice(0, start)).trim();
  if (name === '' || /[\s<>]/.test(name)) return undefined;
  const parameters: TextParameter[] = [];
  const rest = body
    .slice(start < 0 ? body.length : start)
    .replace(argument, (_, key: string, value: string) => {
      parameters.push({ key: key.trim(), value });
      return '';
    });
  return rest === '' ? callWithTexts(name, parameters, schemas) : undefined;
}
