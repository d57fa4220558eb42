import { readTranscript } from '@art/eval/records';
import { ArtError, isJsonObject } from '@art/ground';
import type { Prompts } from '../search/prompt-search.ts';
import type { Measured } from './measure.ts';

/**
 * The prompts that an agent asked for, with the texts in its code, as its results tell them.
 * @throws ArtError `ART_NO_PROMPTS`, `ART_PROMPT_VARIES`
 */
export async function askedPrompts({ folder, samples }: Measured): Promise<Prompts> {
  const asked: Record<string, string> = {};
  let answered = 0;
  for (const { outcome, transcript, id } of samples.values()) {
    if (outcome !== 'ok' || transcript === null) continue;
    answered += 1;
    const { document } = await readTranscript(folder, transcript);
    const told = document?.['prompts'];
    if (!isJsonObject(told)) continue;
    for (const [name, text] of Object.entries(told)) {
      if (typeof text !== 'string') continue;
      if ((asked[name] ?? text) !== text) throw varies(name, id);
      asked[name] = text;
    }
  }
  if (answered > 0 && Object.keys(asked).length === 0) {
    throw new ArtError({
      code: 'ART_NO_PROMPTS',
      message: `Expected a handler that asks for its prompts by context.prompt('system', 'You are ...'), got none in ${answered} rollouts.`,
    });
  }
  return asked;
}

function varies(name: string, sample: string): ArtError {
  return new ArtError({
    code: 'ART_PROMPT_VARIES',
    message: `Expected one text of the prompt ${JSON.stringify(name)} in the code of the agent, got another one in the rollout ${sample}. Put what differs from task to task into its own message.`,
  });
}
