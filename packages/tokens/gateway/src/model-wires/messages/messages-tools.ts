import { writeFunction, type ChatTools } from '../chat/chat-tools.ts';
import type { RequestValue } from '../chat/request-value.ts';
import { writeArray } from '../../json-bytes/write-json.ts';

/** The tools of a chat request, and whether it may call several at once, as JSON text. */
export interface MessagesTools extends ChatTools {
  parallelToolCalls: string | undefined;
}

/**
 * Translates `tools` and `tool_choice`. Tools that Anthropic defines or runs have no schema to translate.
 * @throws WireRequestError that names the first of those
 */
export function translateMessagesTools(body: RequestValue): MessagesTools {
  const tools = (body.member('tools')?.elements() ?? []).map(writeTool);
  if (tools.length === 0) return { tools: undefined, toolChoice: undefined, parallelToolCalls: undefined };
  const choice = body.member('tool_choice');
  return {
    tools: writeArray(tools),
    toolChoice: choice === undefined ? undefined : translateChoice(choice),
    parallelToolCalls: choice?.member('disable_parallel_tool_use')?.boolean() === true ? 'false' : undefined,
  };
}

function writeTool(tool: RequestValue): string {
  const type = tool.member('type')?.string() ?? 'custom';
  if (type !== 'custom') {
    tool.refuse(
      `The tool ${tool.member('name')?.text ?? ''} at \`${tool.path}\` is of type "${type}", which this engine has not. Offer it with an input_schema and run it in the agent.`,
    );
  }
  return writeFunction([
    ['name', tool.required('name').stringText()],
    ['description', tool.member('description')?.text],
    ['parameters', tool.required('input_schema').text],
    ['strict', tool.member('strict')?.text],
  ]);
}

function translateChoice(choice: RequestValue): string {
  const type = choice.required('type').string();
  switch (type) {
    case 'auto':
    case 'none':
      return JSON.stringify(type);
    case 'any':
      return '"required"';
    case 'tool':
      return writeFunction([['name', choice.required('name').stringText()]]);
    default:
      return choice.refuse(`Expected \`tool_choice.type\` to be auto, any, tool or none, got "${type}".`);
  }
}
