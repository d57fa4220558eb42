import { aText, refuseOption } from '@art/ground';
import { type RolloutConfig } from '@art/protocol';

/** Gives the text of a prompt: what the rollout replaces it by, or the text in the code. */
export type PromptReader = (name: string, text: string) => string;

/** By reader: the names that its handler asked for, with the texts in the code. */
const askedBy = new WeakMap<PromptReader, Map<string, string>>();

/** The prompts of one request. */
export function promptReader(rollout: RolloutConfig | undefined): PromptReader {
  const given = rollout?.prompts;
  const asked = new Map<string, string>();
  const read: PromptReader = (name, text) => {
    aText(name, 'the name of a prompt');
    if (typeof text !== 'string') refuseOption(`the text of the prompt ${name}`, 'a string', text);
    if (given === undefined) return text;
    if ((asked.get(name) ?? text) !== text) {
      refuseOption(`the text of the prompt ${name}`, 'the same text each time', text, {
        advice: 'A prompt is constant. What differs from call to call goes into its own message.',
      });
    }
    asked.set(name, text);
    return Object.hasOwn(given, name) ? given[name]! : text;
  };
  if (given !== undefined) askedBy.set(read, asked);
  return read;
}

/** The prompts that a handler asked for, with the texts in the code; undefined where its rollout replaces none. */
export function readPromptNames(read: PromptReader): Record<string, string> | undefined {
  const asked = askedBy.get(read);
  return asked && Object.fromEntries(asked);
}
