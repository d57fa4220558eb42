import { stringifyJson } from '@art/ground';
import type { Conversation } from '../conversation/conversation.ts';
import { notChosenBecause, type TrainChoice } from '../tree/train-choice.ts';

const unknownTokens = new Int32Array();

/** A conversation with the calls of the chosen agents only: what others said is context in it. */
export function chosenCalls({ messages, calls }: Conversation, choice: TrainChoice): Conversation {
  const texts = messages.map((message) => stringifyJson(message));
  const reasons = notChosenBecause(
    calls.map(({ model, label, startedAtMs, prompt }) => ({
      model,
      label,
      startedAtMs,
      messages: prompt.map((index) => texts[index]!),
      promptTokenIds: unknownTokens,
    })),
    choice,
  );
  return { messages, calls: calls.filter((_, at) => reasons[at] === undefined) };
}
