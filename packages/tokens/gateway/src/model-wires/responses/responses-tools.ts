import { writeFunction, type ChatTools } from '../chat/chat-tools.ts';
import type { RequestValue } from '../chat/request-value.ts';
import { writeArray } from '../../json-bytes/write-json.ts';

/**
 * Translates `tools` and `tool_choice`. Only function tools exist in the chat wire.
 * @throws WireRequestError that names the first hosted tool
 */
export function translateResponsesTools(body: RequestValue): ChatTools {
  const tools = body.member('tools')?.elements() ?? [];
  for (const tool of tools) requireFunctionTool(tool);
  const choice = body.member('tool_choice');
  const allowed = choice === undefined ? undefined : allowedTools(choice);
  const offered =
    allowed === undefined ? tools : tools.filter((tool) => allowed.names.has(tool.required('name').string()));
  return {
    tools: offered.length === 0 ? undefined : writeArray(offered.map(writeFunctionTool)),
    toolChoice: allowed?.mode ?? (choice === undefined ? undefined : translateChoice(choice)),
  };
}

function requireFunctionTool(tool: RequestValue): void {
  const type = tool.required('type').string();
  if (type === 'function') return;
  const name = tool.member('name');
  tool.refuse(
    `The tool ${name === undefined ? '' : `${name.text} `}at \`${tool.path}\` is of type "${type}", which this engine has not. Offer it as a function tool and run it in the agent.`,
  );
}

function writeFunctionTool(tool: RequestValue): string {
  const members = [...tool.members()].filter(([name, value]) => name !== 'type' && value.kind !== 'null');
  return writeFunction(members.map(([name, value]) => [name, value.text] as const));
}

function translateChoice(choice: RequestValue): string {
  if (choice.kind === 'string') return choice.text;
  const type = choice.required('type').string();
  if (type !== 'function') {
    choice.refuse(`Expected \`tool_choice\` to be auto, none, required or a function tool, got "${type}".`);
  }
  return writeFunction([['name', choice.required('name').stringText()]]);
}

/** Engines know no allowed tools; offering only those is the same promise. */
function allowedTools(choice: RequestValue): { names: Set<string>; mode: string } | undefined {
  if (choice.kind !== 'object' || choice.required('type').string() !== 'allowed_tools') return undefined;
  const names = new Set<string>();
  for (const tool of choice.required('tools').elements()) {
    requireFunctionTool(tool);
    names.add(tool.required('name').string());
  }
  return { names, mode: choice.member('mode')?.stringText() ?? '"auto"' };
}
