import { expect, it } from 'vitest';
import { SseDataLines } from './sse-events.ts';

it('knows every line end, also in turns, and a byte order mark', () => {
  const stream = Buffer.from('\ufeffdata: 1\r\rdata: 2\r\n\n\ndata: 3\ndata: 4\n\r\ndata: 5\r\n\r\n');
  for (let size = 1; size <= stream.length; size += 1) {
    const lines = new SseDataLines();
    const got: string[] = [];
    for (let at = 0; at < stream.length; at += size) got.push(...lines.push(stream.subarray(at, at + size)));
    expect(got).toEqual(['1', '2', '3\n4', '5']);
  }
});

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
