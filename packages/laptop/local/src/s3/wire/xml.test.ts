import { expect, it } from 'vitest';

import { readXml } from './xml-reader.ts';
import { escapeXml, xmlDocument } from './xml-writer.ts';

it('reads back what it writes', () => {
  const text = 'a & b < c > "d" \'e\' \r\n\t ä 😀 ';
  const document = readXml(
    xmlDocument('Root', { One: text, Two: ['x', 'y'], None: undefined, Empty: '' }),
    'Root',
  );
  expect(document.children.map((child) => [child.name, child.text])).toEqual([
    ['One', text],
    ['Two', 'x'],
    ['Two', 'y'],
    ['Empty', ''],
  ]);
});

it('takes prefixes, references and CDATA', () => {
  const document = readXml('<s:A xmlns:s="urn:x"><s:K>&#97;&#x62;<![CDATA[<c>]]></s:K></s:A>', 'A');
  expect(document.children).toEqual([{ name: 'K', children: [], text: 'ab<c>' }]);
});

it.each(['', '<A>', '<A></B>', '<A/><A/>', '<B/>', 'text', '<A>&undefined;</A>'])('refuses %j', (text) => {
  expect(() => readXml(text, 'A')).toThrow(expect.objectContaining({ s3Code: 'MalformedXML' }));
});

it('escapes what XML cannot hold as it is', () => {
  expect(escapeXml('\u0000\u001f\u0085\uffff')).toBe('&#x0;&#x1f;&#x85;&#xffff;');
});
