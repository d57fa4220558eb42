import { stringifyJson } from '@art/ground';
import type { Conversation, ModelCallRecord } from '../conversation/conversation.ts';
import { MessageKeys } from '../messages/message-keys.ts';
import { type MessageProblem, type PlainMessage, plainMessage } from './plain-message.ts';

/** A call of the model in a turn. */
export interface TurnStep {
  call: ModelCallRecord;
  prompt: PlainMessage[];
  answer: PlainMessage;
  /** Results of its tools in the order of `answer.toolCalls`; undefined where the model has seen none. */
  results: (PlainMessage | undefined)[];
  /** Undefined where the model has not seen them. */
  resultsSeenAtMs: number | undefined;
}

/** The work of an agent from a message of its user to an answer. */
export interface UserTurn {
  steps: TurnStep[];
  startMs: number;
  endMs: number;
}

interface Place {
  turn: UserTurn;
  step: TurnStep;
}

/**
 * The turns of a conversation, in the order in which they began. A call continues another one where its prompt repeats what that one said;
 * the system prompt does not count, as many agents write it anew for each call. Nor does the beginning count where the prompt has the calls
 * of tools with their ids: an agent may cut or sum up what is long ago.
 */
export function conversationTurns({ messages, calls }: Conversation): UserTurn[] | MessageProblem {
  const keys = new MessageKeys();
  const read = new Map<number, { plain: PlainMessage; key: number }>();
  const indices = new Set<number>();
  for (const { prompt, answer } of calls) for (const index of [...prompt, answer]) indices.add(index);
  for (const index of indices) {
    const plain = plainMessage(messages[index]!);
    if (typeof plain === 'string') return plain;
    read.set(index, { plain, key: keys.withoutReasoning(stringifyJson(messages[index])).id });
  }
  // A number for each sequence of messages, made of that of the sequence before its last message.
  const histories = new Map<string, number>();
  const historyAfter = (before: number, index: number): number => {
    const { plain, key } = read.get(index)!;
    if (plain.role === 'system') return before;
    const name = `${before} ${key}`;
    const history = histories.get(name) ?? histories.size + 1;
    histories.set(name, history);
    return history;
  };

  const turns: UserTurn[] = [];
  const byHistory = new Map<number, Place>();
  const byToolIds = new Map<string, Place>();
  for (const call of calls) {
    const prompt = call.prompt.map((index) => read.get(index)!.plain);
    const answer = read.get(call.answer)!.plain;
    const step: TurnStep = {
      call,
      prompt,
      answer,
      results: answer.toolCalls.map(() => undefined),
      resultsSeenAtMs: undefined,
    };
    let history = 0;
    const path = call.prompt.map((index) => (history = historyAfter(history, index)));
    const before = continued(prompt, (at) => byHistory.get(path[at]!) ?? byToolIds.get(toolIds(prompt[at]!)));
    if (before !== undefined) {
      const { step: asking } = before.place;
      if (asking.resultsSeenAtMs === undefined && asking.answer.toolCalls.length > 0) {
        asking.results = resultsFor(prompt[before.at]!, before.since);
        asking.resultsSeenAtMs = call.startedAtMs;
      }
    }
    const turn = turnOf(before) ?? { steps: [], startMs: call.startedAtMs, endMs: call.startedAtMs };
    if (turn.steps.length === 0) turns.push(turn);
    turn.steps.push(step);
    turn.endMs = Math.max(turn.endMs, call.startedAtMs + call.latencyMs);
    const place = { turn, step };
    byHistory.set(historyAfter(history, call.answer), place);
    if (toolIds(answer) !== '') byToolIds.set(toolIds(answer), place);
  }
  return turns;
}

interface Continued {
  place: Place;
  /** Place of the answer that it continues, in the prompt. */
  at: number;
  since: PlainMessage[];
}

function continued(
  prompt: readonly PlainMessage[],
  placeAt: (at: number) => Place | undefined,
): Continued | undefined {
  for (let at = prompt.length - 1; at >= 0; at -= 1) {
    const place = prompt[at]!.role === 'assistant' ? placeAt(at) : undefined;
    if (place !== undefined) return { place, at, since: prompt.slice(at + 1) };
  }
  return undefined;
}

/** @returns undefined where the user has spoken since then, or where another call has continued it already */
function turnOf(before: Continued | undefined): UserTurn | undefined {
  if (before === undefined) return undefined;
  const { turn, step } = before.place;
  const roles = before.since.map(({ role }) => role);
  const isAsked = roles.includes('user') && !roles.includes('tool');
  return isAsked || turn.steps.at(-1) !== step ? undefined : turn;
}

/** Matches results by their ids; ids that engines repeat or leave empty are taken in their order. */
function resultsFor(
  { toolCalls }: PlainMessage,
  since: readonly PlainMessage[],
): (PlainMessage | undefined)[] {
  const open = since.filter(({ role }) => role === 'tool');
  return toolCalls.map(({ id }) => {
    const at = open.findIndex(({ toolCallId = '' }) => toolCallId === id);
    return at === -1 ? undefined : open.splice(at, 1)[0];
  });
}

/** @returns an empty text where nothing can be known by them */
function toolIds({ toolCalls }: PlainMessage): string {
  return toolCalls.every(({ id }) => id !== '')
    ? toolCalls.map(({ id, name }) => `${id} ${name}`).join(' ')
    : '';
}
