/** Writes a text that others chose into Markdown as text: no markup, no mention, no other line. */
export function markdownCell(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll(/[\s\u0000-\u001f]+/g, ' ')
    .replaceAll(/[\\`*_{}[\]()#+!|~@]/g, (character) => `&#${character.charCodeAt(0)};`)
    .slice(0, 500);
}
