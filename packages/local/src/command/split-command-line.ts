/**
 * Splits a command into words the way AgentCore does, without a shell: blanks separate, single quotes keep everything,
 * double quotes know `\"` and `\\`. Undefined when a quote is not closed.
 */
export function splitCommandLine(command: string): string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  for (let at = 0; at < command.length; at += 1) {
    const character = command[at] ?? '';
    if (character === "'") {
      const end = command.indexOf("'", at + 1);
      if (end < 0) return undefined;
      word = (word ?? '') + command.slice(at + 1, end);
      at = end;
    } else if (character === '"') {
      const quoted = readDoubleQuoted(command, at + 1);
      if (quoted === undefined) return undefined;
      word = (word ?? '') + quoted.text;
      at = quoted.end;
    } else if (/\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else {
      word = (word ?? '') + character;
    }
  }
  if (word !== undefined) words.push(word);
  return words;
}

function readDoubleQuoted(command: string, start: number): { text: string; end: number } | undefined {
  let text = '';
  for (let at = start; at < command.length; at += 1) {
    const character = command[at] ?? '';
    const next = command[at + 1];
    if (character === '"') return { text, end: at };
    if (character === '\\' && (next === '"' || next === '\\')) {
      text += next;
      at += 1;
    } else {
      text += character;
    }
  }
  return undefined;
}
