import type { Floats } from '../numbers/gemm.ts';
import { mixSeeds, SeededRandom } from '../numbers/seeded-random.ts';
import type { Matrix } from './matrix.ts';
import type { PolicyShape } from './policy-shape.ts';

/** Low-rank adapters beside frozen weights: `y = x·Wᵀ + (alpha / rank) · x·Aᵀ·Bᵀ`. */
export interface LoraOptions {
  rank: number;
  alpha: number;
}

/** All weights of a policy by the names that they have in a checkpoint. Those with a `grad` are trained. */
export type PolicyWeights = ReadonlyMap<string, Matrix>;

export interface NewWeightsOptions {
  seed: number;
  /** Undefined: all weights are trained. */
  lora?: LoraOptions | undefined;
  /** Float64Array for checking gradients. @default Float32Array */
  Numbers?: typeof Float32Array | typeof Float64Array | undefined;
}

// At the usual 0.02 so small a model starts too flat: it learns many times slower.
const deviation = 0.1;

/** Random weights of a policy; the same for the same seed. */
export function newWeights(shape: PolicyShape, options: NewWeightsOptions): PolicyWeights {
  const { seed, lora, Numbers = Float32Array } = options;
  const weights = new Map<string, Matrix>();
  const random = new SeededRandom(mixSeeds(seed, 1));
  const isFrozen = lora !== undefined;
  const add = (
    name: string,
    rows: number,
    columns: number,
    value: () => number,
    isTrained: boolean,
  ): void => {
    const data: Floats = new Numbers(rows * columns).map(value);
    weights.set(name, { rows, columns, data, grad: isTrained ? new Numbers(rows * columns) : undefined });
  };

  for (const [name, rows, columns] of weightSizes(shape)) {
    const isGain = rows === 1;
    add(name, rows, columns, isGain ? () => 1 : () => random.normal() * deviation, !isFrozen);
  }
  // The two begin alike: a small task is mostly to say words that were read.
  weights.get(headName)!.data.set(weights.get(embeddingName)!.data);

  if (lora !== undefined) {
    for (const [name, rows, columns] of weightSizes(shape)) {
      if (rows === 1 || name === embeddingName) continue;
      add(`${name}.lora_A`, lora.rank, columns, () => random.normal() / Math.sqrt(columns), true);
      add(`${name}.lora_B`, rows, lora.rank, () => 0, true);
    }
  }
  return weights;
}

export const embeddingName = 'model.embed_tokens.weight';
export const headName = 'lm_head.weight';
export const lastNormName = 'model.norm.weight';

/** Names, rows and columns, in the order of a checkpoint. Gains of norms have one row. */
function weightSizes(shape: PolicyShape): [name: string, rows: number, columns: number][] {
  const { vocabularySize, hiddenSize, intermediateSize, heads, headSize } = shape;
  const width = heads * headSize;
  return [
    [embeddingName, vocabularySize, hiddenSize],
    ...Array.from({ length: shape.layers }, (_, layer) =>
      (
        [
          ['input_layernorm', 1, hiddenSize],
          ['self_attn.q_proj', width, hiddenSize],
          ['self_attn.k_proj', width, hiddenSize],
          ['self_attn.v_proj', width, hiddenSize],
          ['self_attn.q_norm', 1, headSize],
          ['self_attn.k_norm', 1, headSize],
          ['self_attn.o_proj', hiddenSize, width],
          ['post_attention_layernorm', 1, hiddenSize],
          ['mlp.gate_proj', intermediateSize, hiddenSize],
          ['mlp.up_proj', intermediateSize, hiddenSize],
          ['mlp.down_proj', hiddenSize, intermediateSize],
        ] as const
      ).map(([name, rows, columns]): [string, number, number] => [layerWeight(layer, name), rows, columns]),
    ).flat(),
    [lastNormName, 1, hiddenSize],
    [headName, vocabularySize, hiddenSize],
  ];
}

export function layerWeight(layer: number, name: string): string {
  return `model.layers.${layer}.${name}.weight`;
}
