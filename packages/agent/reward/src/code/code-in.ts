/** The last fenced block of a text, else the text itself. A block that was not closed goes to the end. */
export function codeIn(text: string): string {
  const blocks = [...text.matchAll(/^[^\S\n]*```[^\n]*\n([\s\S]*?)(?:^[^\S\n]*```|(?![\s\S]))/gm)];
  return blocks.at(-1)?.[1] ?? text;
}
