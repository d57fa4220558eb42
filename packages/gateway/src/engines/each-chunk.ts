import { EngineBody, type TakeChunk } from './engine-body.ts';

/** Hands every chunk of a body to `take`, no faster than it takes them. */
export async function eachChunk(body: AsyncIterable<Uint8Array>, take: TakeChunk): Promise<void> {
  if (body instanceof EngineBody) return body.each(take);
  for await (const chunk of body) await take(chunk);
}
