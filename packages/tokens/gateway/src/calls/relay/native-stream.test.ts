import { describe, expect, it } from 'vitest';
import { writeAnswerMessage } from './native-answer.ts';
import { NativeStream, type NativeStreamEnd } from './native-stream.ts';

const data = (event: object): string => `data: ${JSON.stringify(event)}\n\n`;
const text = { type: 'message', content: [{ type: 'output_text', text: 'é😀' }] };
const delta = data({ type: 'response.output_text.delta', output_index: 0, delta: 'é😀' });
const done = data({ type: 'response.output_item.done', output_index: 0, item: text });
const completed = (response: object): string => data({ type: 'response.completed', response });

function read(stream: string, size: number): NativeStreamEnd & { passed: string } {
  const bytes = Buffer.from(stream);
  const native = new NativeStream('responses');
  const passed: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += size) passed.push(native.push(bytes.subarray(at, at + size)));
  return { passed: Buffer.concat(passed).toString(), ...native.finish() };
}

const messageOf = ({ answer }: NativeStreamEnd): unknown =>
  answer === undefined ? undefined : JSON.parse(writeAnswerMessage(answer.pieces));

describe('NativeStream', () => {
  it.each([1, 2, 3, 7, 64, 10_000])('reads pieces of %i bytes alike, and changes none of them', (size) => {
    const end = `${completed({ status: 'completed', output: [text] })}data: [DONE]\n\n`;
    const got = read(delta + done + end, size);
    expect(got.passed).toBe(delta + done);
    expect(Buffer.from(got.rest).toString()).toBe(end);
    expect(got.ended).toBe(true);
    expect(messageOf(got)).toEqual({ role: 'assistant', content: 'é😀' });
  });

  it('takes from earlier events what the last one leaves out', () => {
    const got = read(delta + done + completed({ status: 'completed', output: [] }), 50);
    expect(messageOf(got)).toEqual({ role: 'assistant', content: 'é😀' });
  });

  it('reads a last event without its blank line', () => {
    const got = read(delta + completed({ status: 'incomplete', output: [text] }).trimEnd(), 50);
    expect(got).toMatchObject({ ended: true, answer: { finishReason: 'length' } });
    expect(Buffer.from(got.rest).toString()).toContain('response.completed');
  });

  it('counts a text once, and an answer without its end as far as it came', () => {
    expect(messageOf(read(delta + delta, 9))).toEqual({ role: 'assistant', content: 'é😀é😀' });
    expect(messageOf(read(delta + done, 9))).toEqual({ role: 'assistant', content: 'é😀' });
    expect(read(delta, 9)).toMatchObject({ ended: false, answer: { finishReason: undefined } });
  });
});
