import { randomBytes } from 'node:crypto';

const alphanumeric = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/**
 * Makes an id for a call whose format has none. Mistral's templates take nine letters and digits and nothing else.
 * @param toolCallParser name of the model's format
 */
export function newToolCallId(toolCallParser: string | undefined): string {
  if (toolCallParser !== 'mistral') return `call_${randomBytes(12).toString('hex')}`;
  return Array.from(randomBytes(9), (byte) => alphanumeric[byte % alphanumeric.length]).join('');
}
