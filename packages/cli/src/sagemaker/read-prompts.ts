import { ArtError } from '@art/protocol';
import { readPayloadList } from '../arguments/read-payload-list.ts';
import type { CliContext } from '../cli-context.ts';

/**
 * The prompts of a dataset as the trainer sends them: of each line the column `prompt`, else the first one, as it is.
 * @throws ArtError `ART_INVALID_PAYLOAD`
 */
export async function readPrompts(file: string, context: CliContext): Promise<unknown[]> {
  const rows = await readPayloadList(file, context);
  return rows.map((row, index) => {
    const prompt = 'prompt' in row ? row['prompt'] : Object.values(row)[0];
    if (prompt !== undefined) return prompt;
    throw new ArtError({
      code: 'ART_INVALID_PAYLOAD',
      message: `Expected each item of ${file} to have a column "prompt", or one at least; item ${index} has none.`,
    });
  });
}
