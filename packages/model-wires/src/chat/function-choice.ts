import { writeObject } from '@art/json-bytes';

/**
 * A `tool_choice` of the chat wire that names one function.
 * @param name a JSON string with its quotes
 */
export function writeFunctionChoice(name: string): string {
  return writeObject([
    ['type', '"function"'],
    ['function', writeObject([['name', name]])],
  ]);
}
