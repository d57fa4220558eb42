import { expect, it } from 'vitest';
import { WholeBody } from './whole-body.ts';

it.each([[[]], [['one']], [['one', ' and', ' two']]])('is one piece of %j', (texts) => {
  const body = new WholeBody(texts.map((text) => Buffer.from(text)));
  const whole = texts.join('');
  expect(body.byteLength).toBe(whole.length);
  expect(body.bytes.toString()).toBe(whole);
  expect(body.bytes).toBe(body.bytes);
});
