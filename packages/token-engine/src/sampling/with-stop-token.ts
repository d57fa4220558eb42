import type { SamplePart } from './token-sampler.ts';

/**
 * Names the token that ended an answer where vLLM names nothing: it was the model's own end of turn, the last token. Only this
 * tells it where there is no tokenizer to know it. Not for routes that say nothing of stop texts either, where one may match.
 */
export async function* withStopToken(parts: AsyncIterable<SamplePart>): AsyncGenerator<SamplePart, void> {
  const last = new Map<number, number>();
  for await (const part of parts) {
    const { finish, choice = 0 } = part;
    const id = part.ids.at(-1);
    if (id !== undefined) last.set(choice, id);
    if (finish?.reason === 'stop' && finish.matched === undefined) {
      yield { ...part, finish: { ...finish, matched: last.get(choice) } };
    } else yield part;
  }
}
