import type { JudgedSample } from '@art/eval';
import type { RewardContext } from '@art/reward';
import { ChatModel } from '@art/reward/judge';

/** A judge that asks a model, and says what it has used. */
export function judgeBy(baseUrl: string) {
  const model = new ChatModel({ baseUrl, model: 'paid' });
  return (_: JudgedSample, { signal, onUsage }: RewardContext): Promise<number> =>
    model.ask(
      model.body([{ role: 'user', content: 'Is it right?' }]),
      () => 1,
      signal,
      onUsage && { count: onUsage },
    );
}
