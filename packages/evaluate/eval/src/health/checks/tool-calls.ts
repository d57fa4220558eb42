import { isJsonObject, type JsonObject, jsonObjectIn } from '@art/ground';
import type { ModelCallRecord, RecordedRollout } from '@art/trajectories';

/** A call of a tool as the model made it. */
export interface ObservedToolCall {
  id: string;
  /** Empty where the model gave none. */
  name: string;
  /** As the model wrote them. */
  arguments: string;
  /** True if the arguments are a JSON object. */
  hasArguments: boolean;
  /** True if a tool of this name was offered. */
  isOffered: boolean;
  /** Which call of the model, from 1. */
  call: number;
}

/** Answers of the model, in the order of its calls. */
export function answers({
  conversation,
}: RecordedRollout): { message: JsonObject; record: ModelCallRecord; call: number }[] {
  if (conversation === undefined) return [];
  return conversation.calls.map((record, at) => ({
    message: conversation.messages[record.answer]!,
    record,
    call: at + 1,
  }));
}

/** Every call of a tool in the answers of a rollout. */
export function toolCalls(rollout: RecordedRollout): ObservedToolCall[] {
  return answers(rollout).flatMap(({ message, record, call }) => {
    const made: unknown[] = Array.isArray(message['tool_calls']) ? message['tool_calls'] : [];
    const offered = offeredTools(record);
    return made.map((one): ObservedToolCall => {
      const called = isJsonObject(one) && isJsonObject(one['function']) ? one['function'] : {};
      const name = typeof called['name'] === 'string' ? called['name'] : '';
      const id = isJsonObject(one) && typeof one['id'] === 'string' ? one['id'] : '';
      return {
        id,
        name,
        arguments: argumentsText(called['arguments']),
        hasArguments: isArguments(called['arguments']),
        // Tools that the engine has by itself are offered nowhere.
        isOffered: offered.size === 0 || offered.has(name),
        call,
      };
    });
  });
}

/** Names of the tools that a call offered to the model. */
export function offeredTools({ tools }: ModelCallRecord): Set<string> {
  return new Set(
    tools.flatMap((tool) => {
      const described = isJsonObject(tool) && isJsonObject(tool['function']) ? tool['function'] : tool;
      const name = isJsonObject(described) ? described['name'] : undefined;
      return typeof name === 'string' ? [name] : [];
    }),
  );
}

function argumentsText(given: unknown): string {
  return typeof given === 'string' ? given : JSON.stringify(given ?? {});
}

function isArguments(given: unknown): boolean {
  if (given === undefined || given === null || isJsonObject(given)) return true;
  return typeof given === 'string' && (given.trim() === '' || jsonObjectIn(given) !== undefined);
}
