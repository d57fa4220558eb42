import { DOMParser, type Element, XMLSerializer } from '@xmldom/xmldom';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';

const part = 'word/document.xml';
const namespace = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';

/** A Word document as its paragraphs, those in tables included. Everything else of the file stays as it is. */
export class WordDocument {
  readonly #entries: Record<string, Uint8Array>;
  readonly #xml;

  /** @throws Error where it is no Word document */
  constructor(bytes: Uint8Array) {
    this.#entries = unzipSync(bytes);
    const text = this.#entries[part];
    if (text === undefined) throw new Error('This is no Word document.');
    this.#xml = new DOMParser().parseFromString(strFromU8(text), 'text/xml');
  }

  /** The text and the XML of each paragraph. */
  paragraphs(): { text: string; xml: string }[] {
    const serializer = new XMLSerializer();
    return this.#elements().map((paragraph) => ({
      text: [...paragraph.getElementsByTagNameNS(namespace, 't')].map((run) => run.textContent).join(''),
      xml: serializer.serializeToString(paragraph),
    }));
  }

  /** Gives a paragraph another text, in the style of its first run. */
  setText(index: number, text: string): void {
    this.#write(this.#elements()[index]!, text);
  }

  /** Puts a paragraph of the same style behind another one. */
  insertAfter(index: number, text: string): void {
    const before = this.#elements()[index]!;
    const added = before.cloneNode(true) as Element;
    before.parentNode!.insertBefore(added, before.nextSibling);
    this.#write(added, text);
  }

  remove(index: number): void {
    const paragraph = this.#elements()[index]!;
    paragraph.parentNode!.removeChild(paragraph);
  }

  toBytes(): Uint8Array {
    const text = strToU8(new XMLSerializer().serializeToString(this.#xml));
    return zipSync({ ...this.#entries, [part]: text });
  }

  #elements(): Element[] {
    return [...this.#xml.getElementsByTagNameNS(namespace, 'p')];
  }

  #write(paragraph: Element, text: string): void {
    const [first, ...others] = [...paragraph.getElementsByTagNameNS(namespace, 'r')];
    for (const run of others) run.parentNode!.removeChild(run);
    const run = first ?? paragraph.appendChild(this.#xml.createElementNS(namespace, 'w:r'));
    for (const child of Array.from(run.childNodes)) if (child.nodeName !== 'w:rPr') run.removeChild(child);
    const holder = this.#xml.createElementNS(namespace, 'w:t');
    holder.setAttribute('xml:space', 'preserve');
    holder.appendChild(this.#xml.createTextNode(text));
    run.appendChild(holder);
  }
}
