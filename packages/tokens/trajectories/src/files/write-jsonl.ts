import { stringifyJson } from '@art/ground';

/**
 * Rows or captures as JSON Lines, a line at a time: pipe it into a file. Nothing is changed silently, big integers stay.
 * @throws ArtError `ART_JSON_WRITE`
 */
export async function* writeJsonl(
  records: Iterable<object> | AsyncIterable<object>,
): AsyncGenerator<string, void, void> {
  for await (const record of records) yield `${stringifyJson(record)}\n`;
}
