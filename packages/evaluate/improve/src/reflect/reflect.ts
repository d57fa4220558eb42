import { ArtError, describeThrown } from '@art/ground';
import { ChatModel, type ChatModelOptions, type ModelMeter } from '@art/reward/judge';

/** Asks a reflecting model. @returns its whole answer */
export type Reflect = (message: string, signal: AbortSignal | undefined) => Promise<string>;

/** Longest time of an answer: reflecting models think. */
const timeoutMs = 600_000;

/**
 * A reflecting model behind the API of chat completions.
 * @throws ArtError `ART_INVALID_OPTION`. The function throws `ART_REFLECTION_FAILED`, or the signal's reason
 */
export function reflectBy(options: ChatModelOptions, meter?: ModelMeter): Reflect {
  const model = new ChatModel({ timeoutMs, ...options });
  return async (message, signal) => {
    try {
      return await model.ask(model.body([{ role: 'user', content: message }]), filled, signal, meter);
    } catch (cause) {
      signal?.throwIfAborted();
      throw new ArtError({
        code: 'ART_REFLECTION_FAILED',
        message: `Expected an answer of the reflecting model ${options.model}, got ${describeThrown(cause).message}. What was measured is kept: go on when the model answers.`,
        cause,
      });
    }
  };
}

function filled(text: string): string {
  if (text.trim() === '') throw new Error('an empty answer');
  return text;
}
