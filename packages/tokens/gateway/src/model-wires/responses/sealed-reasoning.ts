const prefix = 'art1.';

/**
 * Reasoning in the form of `encrypted_content`, for clients that keep nothing on the server and send back only what is
 * opaque to them. Not encrypted: the text goes to the agent in any case.
 */
export function sealReasoning(text: string): string {
  return `${prefix}${Buffer.from(text, 'utf8').toString('base64')}`;
}

/** The text that was sealed; undefined for content that is not ours. */
export function openReasoning(sealed: string): string | undefined {
  if (!sealed.startsWith(prefix)) return undefined;
  return Buffer.from(sealed.slice(prefix.length), 'base64').toString('utf8');
}
