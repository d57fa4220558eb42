import { expect, it } from 'vitest';
import { anHttpUrl } from './is-http-url.ts';

it.each(['http://127.0.0.1:8000/v1', 'https://gateway.example.com'])('%s is an address', (url) => {
  expect(anHttpUrl(url, 'url')).toBe(url);
});

it.each([
  'http://me:s3cret@gateway',
  'https://:s3cret@gateway/v1',
  'ftp://me:s3cret@gateway',
  'me:s3cret@gateway',
])('%s is refused, and its password is not shown', (url) => {
  let said = '';
  try {
    anHttpUrl(url, 'url');
  } catch (error) {
    said = (error as Error).message;
  }
  expect(said).toMatch(/^Expected `url` to be /);
  expect(said).not.toContain('s3cret');
});
