const names = /^(?:task|reference|response|marker)/i;

/**
 * A text between marks that it cannot close: they carry the marker of the request, which no response can know. What looks like such a mark in the
 * text, invisible characters left out, loses its bracket, so that no judge takes it for one.
 */
export function quoted(name: string, text: string, marker: string): string {
  const inner = text.replaceAll(/<(?=([^<]{1,40}))/g, (bracket, behind: string) =>
    names.test(behind.replaceAll(/[\p{Cf}\p{Mn}\s/\\]/gu, '')) ? '‹' : bracket,
  );
  return `<${name}-${marker}>\n${inner}\n</${name}-${marker}>`;
}
