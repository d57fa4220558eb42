const opens = /<(?:think|thinking|thought|reasoning)>/i;
const closes = /<\/(?:think|thinking|thought|reasoning)>/gi;

/**
 * The text without what a model thought: everything up to the last closing tag (templates often write the opening one into the prompt), and
 * everything behind an opening tag that is never closed. What was thought is no answer.
 */
export function withoutThinking(text: string): string {
  let from = 0;
  for (const close of text.matchAll(closes)) from = close.index + close[0].length;
  const said = text.slice(from);
  const unclosed = opens.exec(said)?.index;
  return unclosed === undefined ? said : said.slice(0, unclosed);
}
