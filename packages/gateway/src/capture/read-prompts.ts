import type { JsonScanner } from '@art/json-bytes';
import type { TextBytes } from './new-trace.ts';

/** What a call asks to be completed. */
export interface Prompts {
  /** How many answers it will have for each choice that it asks for. */
  count: number;
  /** As chat messages, JSON text each. */
  messages: readonly TextBytes[];
}

/** Reads the items of a chat call's `messages`, each as it is spelled; none where it is no array. */
export function readMessages(scanner: JsonScanner | undefined): readonly string[] {
  if (scanner?.peek() !== 0x5b) return [];
  const messages: string[] = [];
  for (let more = scanner.firstItem(); more; more = scanner.nextItem()) messages.push(scanner.readText());
  return messages;
}

/** The same where the items have been found already, as parts of the bytes. */
export function messagesAt(bytes: Buffer, places: readonly number[]): readonly Buffer[] {
  const messages: Buffer[] = [];
  for (let at = 0; at < places.length; at += 2) messages.push(bytes.subarray(places[at], places[at + 1]));
  return messages;
}

/**
 * Reads a completions call's `prompt`: a text, a list of token ids, or a list of either. A single text becomes a user
 * message, so that its trace has what was asked; ids are in the trace as they are.
 */
export function readPrompt(scanner: JsonScanner | undefined): Prompts {
  const one: Prompts = { count: 1, messages: [] };
  const first = scanner?.peek();
  if (scanner === undefined || first === undefined) return one;
  if (first === 0x22) return { count: 1, messages: [userMessage(scanner.readText())] };
  if (first !== 0x5b || !scanner.firstItem()) return one;
  const item = scanner.peek();
  const isListOfPrompts = item === 0x22 || item === 0x5b;
  if (!isListOfPrompts) return one;
  let only = '';
  let count = 0;
  for (let more = true; more; more = scanner.nextItem()) {
    count += 1;
    if (count === 1) only = scanner.readText();
    else scanner.skipValue();
  }
  return { count, messages: count === 1 && item === 0x22 ? [userMessage(only)] : [] };
}

function userMessage(content: string): string {
  return `{"role":"user","content":${content}}`;
}
