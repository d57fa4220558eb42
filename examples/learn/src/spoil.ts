import type { Tokenizer } from '@huggingface/tokenizers';
import type { TrainerRow } from './learn.ts';

/** Faults that can be planted between engine and trainer. */
export const spoilings = ['shift-logprobs', 'late-mask', 'retokenise', 'whole-loss'] as const;
export type Spoiling = (typeof spoilings)[number];

/** The effect of each kind on a row, in words. */
export const spoilingWords: Readonly<Record<Spoiling, string>> = {
  'shift-logprobs': 'logprobs one token late',
  'late-mask': 'mask, logprobs and advantages one token late',
  retokenise: "text decoded and encoded again, the trainer's own logprobs",
  'whole-loss': 'loss over prompt and tool tokens as well',
};

/** Rows as somebody would get them whose capture is wrong in this way: the controls of the experiment. */
export function spoil(row: TrainerRow, kind: Spoiling, tokenizer: Tokenizer): TrainerRow {
  switch (kind) {
    case 'shift-logprobs':
      return { ...row, logprobs: late(row.logprobs) };
    case 'late-mask':
      return {
        ...row,
        loss_mask: late(row.loss_mask),
        logprobs: late(row.logprobs),
        advantages: late(row.advantages),
      };
    case 'retokenise':
      return retokenise(row, tokenizer);
    case 'whole-loss':
      return trainOnAll(row);
  }
}

/** One token late. */
export function late<Value>(values: readonly Value[]): (Value | 0)[] {
  return [0, ...values.slice(0, -1)];
}

function trainOnAll(row: TrainerRow): TrainerRow {
  const prompt = row.prompt_length - 1;
  const length = row.token_ids.length - 1;
  return {
    token_ids: row.token_ids,
    prompt_length: 1,
    loss_mask: Array.from({ length }, () => 1),
    // The engine said nothing of tokens that it did not sample.
    logprobs: Array.from({ length }, (_, at) =>
      row.loss_mask[at - prompt] === 1 ? row.logprobs[at - prompt]! : null,
    ),
    advantages: Array.from({ length }, () => advantageOf(row)),
  };
}

/** Turns the model's tokens into text, and the text into tokens: not always those that were sampled. */
function retokenise(row: TrainerRow, tokenizer: Tokenizer): TrainerRow {
  const tokenIds = row.token_ids.slice(0, row.prompt_length);
  const mask: number[] = [];
  for (let start = 0; start < row.loss_mask.length;) {
    const isSampled = row.loss_mask[start];
    let end = start;
    while (end < row.loss_mask.length && row.loss_mask[end] === isSampled) end += 1;
    const ids = row.token_ids.slice(row.prompt_length + start, row.prompt_length + end);
    const again = isSampled === 1 ? encodeAgain(ids, tokenizer) : ids;
    tokenIds.push(...again);
    mask.push(...again.map(() => isSampled ?? 0));
    start = end;
  }
  return {
    token_ids: tokenIds,
    prompt_length: row.prompt_length,
    loss_mask: mask,
    logprobs: mask.map((isSampled) => (isSampled === 1 ? null : 0)),
    advantages: mask.map((isSampled) => (isSampled === 1 ? advantageOf(row) : 0)),
  };
}

function encodeAgain(ids: readonly number[], tokenizer: Tokenizer): number[] {
  const text = tokenizer.decode([...ids], { skip_special_tokens: true });
  return text === '' ? [] : tokenizer.encode(text, { add_special_tokens: false }).ids;
}

/** A rollout has one advantage, which all its tokens share. */
function advantageOf({ loss_mask: mask, advantages }: TrainerRow): number {
  return advantages[mask.indexOf(1)] ?? 0;
}
