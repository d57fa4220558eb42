import type { EngineAnswer } from './engine-answer.ts';
import { SeededRandom } from './seeded-random.ts';

/** Which part of the message a token belongs to; `markup` is seen by the parsers of engines only. */
export type TokenPart =
  | { kind: 'reasoning' | 'content' | 'markup' }
  | { kind: 'call_name' | 'call_arguments'; index: number };

export interface SampledToken {
  id: number;
  logprob: number;
  text: string;
  part: TokenPart;
}

/** One choice, as it was sampled. */
export interface SampledChoice {
  index: number;
  tokens: readonly SampledToken[];
  finishReason: string;
  answer: EngineAnswer;
  /** An id for each tool call. */
  toolCallIds: readonly string[];
}

/** All that an engine knows of one call that it answered. */
export interface SampledAnswer {
  callNumber: number;
  promptTokenIds: readonly number[];
  choices: readonly SampledChoice[];
}

/** Ids below it are drawn; those from it on are special. */
const vocabulary = 151_643;
export const endOfTurn = 151_645;

/**
 * Cuts an answer into tokens whose ids and logprobs follow from seed, call and choice alone, so that anyone who knows these
 * three knows exactly what was sent. Logprobs are float32, as engines compute them.
 */
export function sampleChoice(
  seed: number,
  callNumber: number,
  index: number,
  answer: EngineAnswer,
): SampledChoice {
  const random = new SeededRandom(seed, callNumber, index);
  const tokens: SampledToken[] = [];
  const add = (text: string, part: TokenPart): void => {
    for (const piece of cutText(text)) {
      const logprob = random.next() < 0.1 ? 0 : Math.fround(-(random.next() ** 4) * 20);
      tokens.push({ id: random.below(vocabulary), logprob, text: piece, part });
    }
  };
  const markup = (text: string): void => add(text, { kind: 'markup' });
  if (answer.reasoning !== undefined) {
    markup('<think>');
    add(answer.reasoning, { kind: 'reasoning' });
    markup('</think>');
  }
  if (answer.content !== undefined) add(answer.content, { kind: 'content' });
  const toolCalls = answer.toolCalls ?? [];
  toolCalls.forEach((call, at) => {
    markup('\n<tool_call>\n{"name": "');
    add(call.name, { kind: 'call_name', index: at });
    markup('", "arguments": ');
    add(call.arguments, { kind: 'call_arguments', index: at });
    markup('}\n</tool_call>');
  });
  const finishReason = answer.finishReason ?? (toolCalls.length > 0 ? 'tool_calls' : 'stop');
  // What ends a turn is sampled like everything else; an answer that was cut for its length has none.
  if (finishReason !== 'length') {
    const logprob = Math.fround(-random.next());
    tokens.push({ id: endOfTurn, logprob, text: '<|im_end|>', part: { kind: 'markup' } });
  }
  const toolCallIds = toolCalls.map((_call, at) => `call_${callNumber}_${index}_${at}`);
  return { index, tokens, finishReason, answer, toolCallIds };
}

/**
 * A prompt's ids: each message has its own and an end, so that a longer conversation begins with the ids of the shorter one. Those of
 * an answer are not the ones that were sampled.
 */
export function promptIds(seed: number, messages: readonly unknown[]): number[] {
  return messages.flatMap((message) => {
    const text = JSON.stringify(message);
    const random = new SeededRandom(seed, text.length, hashText(text));
    return [...Array.from({ length: 3 + random.below(8) }, () => random.below(vocabulary)), endOfTurn];
  });
}

/** Text that the model wrote, markup and all. */
export function rawText(choice: SampledChoice): string {
  return choice.tokens.map((token) => token.text).join('');
}

// Words with the space before them. A token never ends between the halves of a surrogate pair.
function cutText(text: string): string[] {
  return text.match(/\s?[^\s]{1,6}|\s/gu) ?? [];
}

function hashText(text: string): number {
  let hash = 2_166_136_261;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 16_777_619);
  return hash >>> 0;
}
