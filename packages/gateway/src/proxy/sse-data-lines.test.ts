import { expect, it } from 'vitest';
import { SseDataLines } from './sse-data-lines.ts';

it('gives the data of whole events, wherever the bytes are cut', () => {
  const stream = Buffer.from(
    'data: {"a":"😀"}\n\n: note\n\nevent: x\ndata:one\r\ndata: two\r\n\r\ndata: [DONE]\n\ndata: torn',
  );
  for (let size = 1; size <= stream.length; size += 1) {
    const lines = new SseDataLines();
    const got: string[] = [];
    for (let at = 0; at < stream.length; at += size) got.push(...lines.push(stream.subarray(at, at + size)));
    expect(got).toEqual(['{"a":"😀"}', 'one\ntwo', '[DONE]']);
  }
});
