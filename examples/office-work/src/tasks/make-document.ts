import { strToU8, zipSync } from 'fflate';

/** A paragraph as its runs; Word cuts texts into runs where somebody edited them. `*bold*` is bold. */
export type Paragraph = string | string[];

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

function runXml(run: string): string {
  const bold = /^\*(.+)\*$/s.exec(run)?.[1];
  const properties = bold === undefined ? '' : '<w:rPr><w:b/></w:rPr>';
  return `<w:r>${properties}<w:t xml:space="preserve">${escape(bold ?? run)}</w:t></w:r>`;
}

/** A small Word document (ECMA-376). */
export function makeDocument(paragraphs: readonly Paragraph[]): Uint8Array {
  const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
  const body = paragraphs.map((runs) => `<w:p>${[runs].flat().map(runXml).join('')}</w:p>`).join('');
  const types = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml';
  const files = {
    '[Content_Types].xml': `${head}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="${types}"/></Types>`,
    '_rels/.rels': `${head}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`,
    'word/document.xml': `${head}<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body}<w:sectPr/></w:body></w:document>`,
  };
  return zipSync(Object.fromEntries(Object.entries(files).map(([path, text]) => [path, strToU8(text)])));
}
