import { stringifyJson, type JsonObject } from '@art/ground';
import type { ResolvedExportOptions } from './export-options.ts';
import type { RowProblem } from './row-problem.ts';
import type { RowMessage, TextRow } from './text-row.ts';
import { toBedrock } from './to-bedrock.ts';
import { toShareGpt } from './to-share-gpt.ts';
import { type ChatSpelling, toChatMessages } from './to-chat-messages.ts';

/** A row as a line of a file to fine-tune on. */
export function toFineTuningLine(
  row: TextRow,
  { format, arguments: style }: ResolvedExportOptions,
): JsonObject | RowProblem {
  const spelling = { arguments: style, isExtended: format !== 'openai' };
  switch (format) {
    case 'openai':
      return withTools({ messages: weighted(row.messages, spelling) }, row.tools);
    case 'prompt-completion':
      return withTools(
        {
          prompt: toChatMessages(row.messages, spelling).slice(0, -1),
          completion: toChatMessages(row.messages, spelling).slice(-1),
        },
        toolsText(row),
      );
    case 'trl':
      return untaught(row) ?? withTools({ messages: toChatMessages(row.messages, spelling) }, toolsText(row));
    case 'sharegpt':
      return untaught(row) ?? toShareGpt(row);
    case 'bedrock':
      return untaught(row) ?? toBedrock(row);
    default:
      throw new TypeError(`No lines to fine-tune on are in the format ${format}`);
  }
}

/** OpenAI: "weight" of an assistant message, 0 or 1 (https://platform.openai.com/docs/api-reference/fine-tuning/chat-input). */
function weighted(messages: readonly RowMessage[], spelling: ChatSpelling): JsonObject[] {
  return toChatMessages(messages, spelling).map((message, at) =>
    messages[at]!.role === 'assistant' && messages[at]!.taught !== 'here'
      ? { ...message, weight: 0 }
      : message,
  );
}

/** Formats without weights teach every answer of a row. */
function untaught({ messages }: TextRow): RowProblem | undefined {
  const other = messages.find(({ role, taught }) => role === 'assistant' && taught !== 'here');
  if (other === undefined) return undefined;
  return other.taught === 'elsewhere' ? 'shared_turns' : 'foreign_answers';
}

// Objects of different tools have different fields, which readers of tables would merge: text keeps them as they are.
function toolsText({ tools }: TextRow): string | undefined {
  return tools.length === 0 ? undefined : stringifyJson(tools);
}

function withTools(line: JsonObject, tools: JsonObject[] | string | undefined): JsonObject {
  return tools === undefined || tools.length === 0 ? line : { ...line, tools };
}
