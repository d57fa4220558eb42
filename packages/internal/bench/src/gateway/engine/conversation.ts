import type { SampleText } from './sample-text.ts';

/** The conversations of the memory measurement: 20 turns, each 800 tokens given and 800 sampled, 32,000 in the end. */
export const conversationTurns = 20;
const givenTokens = 800;
export const sampledTokens = 800;
export const conversationTokens = conversationTurns * (givenTokens + sampledTokens);
const bytesPerToken = 4;

/** How many tokens the prompt of a turn has. */
export function promptTokensOf(turn: number): number {
  return turn * (givenTokens + sampledTokens) + givenTokens;
}

/** The agent's words in a turn, as the inside of a JSON string. */
export function givenText(text: SampleText, conversation: number, turn: number): Buffer {
  return text.piece(conversation * 64 + turn * 2, givenTokens * bytesPerToken);
}

/** The model's words. */
export function sampledText(text: SampleText, conversation: number, turn: number): Buffer {
  return text.piece(conversation * 64 + turn * 2 + 1, sampledTokens * bytesPerToken);
}
