import type { MarkdownRenderer } from 'vitepress';

/** What the column of the site has room for in the size that config.ts sets, in characters. */
const widest = 76;
/** A line may be wider for a word that cannot be broken, such as an ARN. */
const longWord = /\S{45}/;

/** Lets no page be built that has a line of code which a reader would have to scroll for. */
export function refuseWideCode(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push('refuse-wide-code', ({ tokens, env }) => {
    for (const { type, content } of tokens) {
      if (type !== 'fence') continue;
      const wide = content.split('\n').find((line) => line.length > widest && !longWord.test(line));
      if (wide !== undefined)
        throw new Error(`${env.path}: expected at most ${widest} characters a line of code, got "${wide}"`);
    }
  });
}
