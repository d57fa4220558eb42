import { CallRefusal } from './call-refusal.ts';
import { SseDataLines } from '@art/gateway/engine-port';

/** A body as a whole. */
export async function readWhole(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** The data of each server-sent event up to `[DONE]`. */
export async function* readEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<string, void> {
  const lines = new SseDataLines();
  for await (const chunk of body) {
    for (const data of lines.push(chunk)) {
      if (data.trim() === '[DONE]') return;
      yield data;
    }
  }
  // A stream that ends without a blank line.
  for (const data of lines.push(Buffer.from('\n\n'))) if (data.trim() !== '[DONE]') yield data;
}

/** @throws CallRefusal (502) where an engine's answer is not JSON */
export function parseEngineJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const message = `The engine answered something that is not JSON: ${text.slice(0, 200)}`;
    throw new CallRefusal(message, undefined, cause, { status: 502, code: 'engine_bad_reply' });
  }
}
