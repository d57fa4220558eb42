import type { ChatCall } from './chat-call.ts';

/** The same call about another conversation. */
export function withMessages(call: ChatCall, messages: readonly string[]): ChatCall {
  const members = (): ReadonlyMap<string, string> =>
    new Map(call.members()).set('messages', `[${messages.join(',')}]`);
  return {
    ...call,
    messages,
    members,
    text: () => `{${Array.from(members(), ([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`,
  };
}
