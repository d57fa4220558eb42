import type { Readme } from './readme.ts';

/** One command of a README, as the words of its line. */
export interface CommandLine {
  line: number;
  words: readonly string[];
}

/** Every command in shell fences and in inline code, without comments; a line that ends with `\` continues in the next. */
export function commandLines({ text, fences }: Readme): CommandLine[] {
  const found: CommandLine[] = [];
  const fenced = new Set<number>();
  for (const { firstLine, lines, language } of fences) {
    for (const offset of lines.keys()) fenced.add(firstLine + offset);
    if (language !== 'sh') continue;
    let begun = '';
    for (const [offset, line] of lines.entries()) {
      const whole = `${begun}${line.replace(/(^|\s)#.*$/, '')}`;
      begun = whole.endsWith('\\') ? whole.slice(0, -1) : '';
      if (begun === '') for (const part of whole.split(/\||&&|;/)) add(firstLine + offset, part);
    }
  }
  for (const [index, line] of text.split('\n').entries()) {
    if (fenced.has(index + 1)) continue;
    for (const [, code] of line.matchAll(/`([^`]+)`/g)) add(index + 1, code!);
  }
  return found;

  function add(line: number, command: string): void {
    found.push({ line, words: command.trim().split(/\s+/) });
  }
}

/** The words after a program's name, run by npx or pnpm or not; undefined where the command is another one. */
export function argumentsOf(program: string, { words }: CommandLine): readonly string[] | undefined {
  const [first, second] = words;
  const start = first === 'npx' ? words.findIndex((word, at) => at > 0 && !word.startsWith('-')) : 0;
  if (first === 'pnpm' && second === 'exec') return words[2] === program ? words.slice(3) : undefined;
  return words[start] === program ? words.slice(start + 1) : undefined;
}
