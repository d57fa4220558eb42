/** A text between marks that it cannot close itself. */
export function quoted(name: string, text: string): string {
  const inner = text.replaceAll(new RegExp(`<(/?)${name}(?=[\\s>])`, 'gi'), `<$1 ${name}`);
  return `<${name}>\n${inner}\n</${name}>`;
}
