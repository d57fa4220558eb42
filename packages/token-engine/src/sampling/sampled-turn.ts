import type { ParsedTurn } from '../parsers/parsed-turn.ts';
import type { WeightVersionSpan } from '@art/trajectories';
import type { SampleFinish, SamplePart, TopLogprob } from './token-sampler.ts';

/** Everything that an engine sampled for a prompt, put together from its parts. */
export class SampledTurn {
  readonly ids: number[] = [];
  readonly logprobs: (number | null)[] = [];
  readonly topLogprobs: (readonly TopLogprob[])[] = [];
  /** Whether every part came with logprobs. */
  hasLogprobs = true;
  finish: SampleFinish | undefined;
  weightVersion: string | undefined;
  weightVersions: readonly WeightVersionSpan[] | undefined;
  routedExperts: string | undefined;
  usage: NonNullable<SamplePart['usage']> = {};
  message: ParsedTurn | undefined;

  add(part: SamplePart): void {
    for (const id of part.ids) this.ids.push(id);
    if (part.logprobs !== undefined) for (const logprob of part.logprobs) this.logprobs.push(logprob);
    else if (part.ids.length > 0) this.hasLogprobs = false;
    for (const top of part.topLogprobs ?? []) this.topLogprobs.push(top);
    this.finish = part.finish ?? this.finish;
    this.weightVersion = part.weightVersion ?? this.weightVersion;
    this.weightVersions = part.weightVersions ?? this.weightVersions;
    this.routedExperts = part.routedExperts ?? this.routedExperts;
    this.message = part.message ?? this.message;
    const { prompt, completion, cached } = part.usage ?? {};
    this.usage = {
      prompt: prompt ?? this.usage.prompt,
      completion: completion ?? this.usage.completion,
      cached: cached ?? this.usage.cached,
    };
  }
}
