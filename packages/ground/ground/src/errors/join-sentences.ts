/**
 * Puts what others said and what is to be said of it into one text: each part ends with one full stop, whether it came with
 * one, with several or with none. Parts that say nothing are left out.
 */
export function joinSentences(...parts: readonly (string | undefined)[]): string {
  return parts
    .map((part) => part?.trim().replace(/[\s.]+$/, '') ?? '')
    .filter((part) => part !== '')
    .map((part) => (/[!?:]$/.test(part) ? part : `${part}.`))
    .join(' ');
}
