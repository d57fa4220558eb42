import { expect, it } from 'vitest';
import { shownUrl } from './shown-url.ts';

it.each([
  ['http://127.0.0.1:8000/v1', 'http://127.0.0.1:8000/v1'],
  ['http://user:pass@host/v1?key=k', 'http://[redacted]@host/v1?[redacted]'],
  ['http://user:p@ss/w?rd@host:99999/v1', 'http://[redacted]@host:99999/v1'],
  ['htp://key@host', 'htp://[redacted]@host'],
  ['user:pass@host/v1', '[redacted]@host/v1'],
  ['http:/\\user:pa ss@host', 'http:/\\[redacted]@host'],
  ['', ''],
])('%s is shown as %s', (text, shown) => {
  expect(shownUrl(text)).toBe(shown);
});
