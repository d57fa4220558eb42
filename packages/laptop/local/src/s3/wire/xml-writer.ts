/** Text, elements in order, or the same element several times. `undefined` leaves the element out. */
export type XmlContent =
  | string
  | number
  | boolean
  | undefined
  | readonly XmlContent[]
  | { readonly [name: string]: XmlContent };

/** A document as S3 answers it; the names of the elements must be XML names. */
export function xmlDocument(
  root: string,
  content: XmlContent,
  options: { namespace?: boolean } = {},
): string {
  const start = options.namespace === true ? `${root} xmlns="http://s3.amazonaws.com/doc/2006-03-01/"` : root;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${start}>${inner(content)}</${root}>`;
}

function element(name: string, content: XmlContent): string {
  if (content === undefined) return '';
  if (isList(content)) return content.map((item) => element(name, item)).join('');
  const text = inner(content);
  return text === '' ? `<${name}/>` : `<${name}>${text}</${name}>`;
}

function inner(content: XmlContent): string {
  if (content === undefined) return '';
  if (typeof content !== 'object') return escapeXml(String(content));
  if (isList(content)) return content.map(inner).join('');
  return Object.entries(content)
    .map(([name, value]) => element(name, value))
    .join('');
}

function isList(content: XmlContent): content is readonly XmlContent[] {
  return Array.isArray(content);
}

const named: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/**
 * Control characters become character references like in S3's own answers. Most of them are not legal in XML 1.0 even
 * so: clients that may meet such keys ask for `encoding-type=url`.
 */
export function escapeXml(text: string): string {
  return text.replace(
    /[&<>"\u0000-\u001f\u007f-\u009f\u2028\ufffe\uffff]/g,
    (character) => named[character] ?? `&#x${character.charCodeAt(0).toString(16)};`,
  );
}
