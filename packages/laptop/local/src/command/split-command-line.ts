/** A piece of a word, quoted or not, or the blanks between two words. */
const piece =
  /'(?<single>[^']*)'|"(?<double>(?:\\["\\]|[^"\\]|\\(?!["\\]))*)"|(?<plain>[^\s'"]+)|(?<blanks>\s+)/gy;

/**
 * Splits a command into words the way AgentCore does, without a shell: blanks separate, single quotes keep everything,
 * double quotes know `\"` and `\\`. Undefined when a quote is not closed.
 */
export function splitCommandLine(command: string): string[] | undefined {
  const words: string[] = [];
  let isInWord = false;
  let end = 0;
  for (const { 0: text, groups = {} } of command.matchAll(piece)) {
    const { single, double, blanks } = groups;
    end += text.length;
    if (blanks === undefined) {
      if (!isInWord) words.push('');
      words[words.length - 1] += single ?? double?.replace(/\\(["\\])/g, '$1') ?? text;
    }
    isInWord = blanks === undefined;
  }
  return end === command.length ? words : undefined;
}
