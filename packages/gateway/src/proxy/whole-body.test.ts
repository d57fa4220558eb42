import { expect, it } from 'vitest';
import { WholeBody } from './whole-body.ts';

const pieces = (...texts: string[]): WholeBody => new WholeBody(texts.map((text) => Buffer.from(text)));

it.each([[[]], [['one']], [['one', ' and', ' two']]])('is one piece of %j', (texts) => {
  const body = pieces(...texts);
  const whole = texts.join('');
  expect(body.byteLength).toBe(whole.length);
  expect(body.show(String)).toBe(whole);
  expect(body.bytes.toString()).toBe(whole);
  expect(body.show(String)).toBe(whole);
});

it('keeps its own bytes apart from what is shown', () => {
  const first = pieces('the first', ' body');
  const second = pieces('another', ' one');
  const shown = first.show((bytes) => bytes);
  const { bytes } = first;
  second.show((other) => {
    expect(other.toString()).toBe('another one');
    // The same memory, which is why nothing of it may be kept.
    expect(other.buffer).toBe(shown.buffer);
  });
  expect(bytes.toString()).toBe('the first body');
});

it('does not share memory for very long ones', () => {
  const long = new WholeBody([Buffer.alloc(3_000_000, 1), Buffer.alloc(3_000_000, 2)]);
  expect(long.show((bytes) => bytes)).toBe(long.bytes);
});
