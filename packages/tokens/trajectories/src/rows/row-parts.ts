import type { TrainingRow, TurnSpan } from './training-row.ts';

/** Tokens before the response. */
export function promptTokens(row: TrainingRow): readonly number[] {
  return row.token_ids.slice(0, row.prompt_length);
}

/** Tokens that `loss_mask` and `logprobs` are about. */
export function responseTokens(row: TrainingRow): readonly number[] {
  return row.token_ids.slice(row.prompt_length);
}

/** True if a row has anything to train on. */
export function trains(row: TrainingRow): boolean {
  return row.loss_mask.includes(1);
}

/** The weights that sampled a turn, in words; empty where nobody said. */
export function weightVersionsOf(span: TurnSpan): readonly string[] {
  if (span.weight_versions !== undefined && span.weight_versions.length > 0) {
    return span.weight_versions.map(({ version }) => version);
  }
  return announcedVersionsOf(span).map(String);
}

/** The announced versions that may have sampled a turn, the oldest first; empty where nobody said. */
export function announcedVersionsOf(span: TurnSpan): readonly number[] {
  const { weight_version: version, weight_version_range: range } = span;
  return [range?.oldest, version, range?.newest].filter((one) => one !== undefined && one !== null);
}

/** A list over all tokens from one over the response: `pad` for each token of the prompt. */
export function overAllTokens<Item>(row: TrainingRow, items: readonly Item[], pad: Item): Item[] {
  return [...Array.from<Item>({ length: row.prompt_length }).fill(pad), ...items];
}
