import { SaxesParser } from 'saxes';

import { s3Error, type S3Error } from './s3-error.ts';

/** An element with its children; `text` is what stands directly in it. */
export interface XmlElement {
  name: string;
  children: XmlElement[];
  text: string;
}

/** No request document of S3 comes near; without them a small document could fill the memory. */
const maxDepth = 16;
const maxElements = 10_000;

/**
 * Reads a request document. Prefixes of names are dropped: clients disagree on namespaces and S3 accepts them all.
 * Entities other than the five of XML are refused, so a document cannot grow by expansion.
 * @throws S3Error MalformedXML
 */
export function readXml(text: string, rootName: string): XmlElement {
  const parser = new SaxesParser();
  const open: XmlElement[] = [];
  let root: XmlElement | undefined;
  parser.on('error', (error) => {
    throw malformed(error.message, error);
  });
  let elements = 0;
  parser.on('opentag', (tag) => {
    elements += 1;
    if (open.length >= maxDepth) throw malformed(`nested deeper than ${maxDepth} elements`);
    if (elements > maxElements) throw malformed(`more than ${maxElements} elements`);
    const element: XmlElement = { name: tag.name.replace(/^.*:/, ''), children: [], text: '' };
    open.at(-1)?.children.push(element);
    root ??= element;
    open.push(element);
  });
  const addText = (part: string): void => {
    const element = open.at(-1);
    if (element !== undefined) element.text += part;
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => void open.pop());
  parser.write(text).close();
  if (root?.name !== rootName) throw malformed(`expected <${rootName}>, got <${root?.name ?? ''}>`);
  return root;
}

/** Text of the first child of that name. */
export function childText(element: XmlElement, name: string): string | undefined {
  return element.children.find((child) => child.name === name)?.text;
}

export function malformed(why: string, cause?: unknown): S3Error {
  const message = `The XML you provided was not well-formed or did not validate against our published schema (${why}).`;
  return s3Error('MalformedXML', { message, cause });
}
