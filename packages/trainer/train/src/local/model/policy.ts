import type { Floats } from '../numbers/gemm.ts';
import { attend, type ReadBefore, rotate, type Span } from './attention.ts';
import { addScaled, gated, linear, lookUp, rmsNorm } from './layers.ts';
import type { Matrix, Tape } from './matrix.ts';
import { normEps, type PolicyShape, ropeTheta } from './policy-shape.ts';
import {
  embeddingName,
  headName,
  lastNormName,
  layerWeight,
  type LoraOptions,
  type PolicyWeights,
} from './policy-weights.ts';

/** A small transformer. The one `read` serves sampling and training, so both give a token the same logprob. */
export class Policy {
  readonly shape: PolicyShape;
  readonly weights: PolicyWeights;
  readonly lora: LoraOptions | undefined;

  constructor(shape: PolicyShape, weights: PolicyWeights, lora?: LoraOptions) {
    this.shape = shape;
    this.weights = weights;
    this.lora = lora;
  }

  /**
   * Computes the hidden state of each token of the sequences that lie one after the other in `ids`: one row for each
   * token, for `scores`. With `memories` each sequence continues where its memory ends, and the memory grows by the
   * tokens that were read.
   */
  read(
    ids: ArrayLike<number>,
    spans: readonly Span[],
    { memories, tape }: { memories?: readonly SequenceMemory[]; tape?: Tape } = {},
  ): Matrix {
    const { headSize, layers } = this.shape;
    let x = lookUp(this.#weight(embeddingName), ids, tape);
    for (let layer = 0; layer < layers; layer += 1) {
      const norm = (input: Matrix, name: string): Matrix =>
        rmsNorm(input, this.#weight(layerWeight(layer, name)), normEps, tape);
      const project = (input: Matrix, name: string): Matrix =>
        this.#project(input, layerWeight(layer, name), tape);

      const seen = norm(x, 'input_layernorm');
      const queries = norm(project(seen, 'self_attn.q_proj'), 'self_attn.q_norm');
      const keys = norm(project(seen, 'self_attn.k_proj'), 'self_attn.k_norm');
      const values = project(seen, 'self_attn.v_proj');
      rotate(queries, spans, { headSize, theta: ropeTheta }, tape);
      rotate(keys, spans, { headSize, theta: ropeTheta }, tape);
      const before = memories?.map((memory, index) => memory.append(layer, spans[index]!, keys, values));
      const attended = attend([queries, keys, values], spans, headSize, before, tape);
      x = addScaled(x, project(attended, 'self_attn.o_proj'), 1, tape);

      const thought = norm(x, 'post_attention_layernorm');
      const inner = gated(project(thought, 'mlp.gate_proj'), project(thought, 'mlp.up_proj'), tape);
      x = addScaled(x, project(inner, 'mlp.down_proj'), 1, tape);
    }
    return rmsNorm(x, this.#weight(lastNormName), normEps, tape);
  }

  /** A score for each token of the vocabulary, for each row: the logits of what comes next. */
  scores(rows: Matrix, tape?: Tape): Matrix {
    return this.#project(rows, headName, tape);
  }

  #project(x: Matrix, name: string, tape: Tape | undefined): Matrix {
    const out = linear(x, this.#weight(name), tape);
    if (this.lora === undefined) return out;
    const { rank, alpha } = this.lora;
    const low = linear(x, this.#weight(`${name}.lora_A`), tape);
    return addScaled(out, linear(low, this.#weight(`${name}.lora_B`), tape), alpha / rank, tape);
  }

  #weight(name: string): Matrix {
    return this.weights.get(name)!;
  }
}

/** Keys and values of a sequence that was read, so that the next token needs no second look at all before it. */
export class SequenceMemory {
  readonly #layers: ReadBefore[] = [];

  /** Adds what a layer made of the rows of `span`; the memory as a whole. */
  append(layer: number, span: Span, keys: Matrix, values: Matrix): ReadBefore {
    const width = keys.columns;
    const end = (span.position + span.length) * width;
    const kept = this.#layers[layer];
    const grown = {
      keys: grow(kept?.keys ?? keys.data.subarray(0, 0), end),
      values: grow(kept?.values ?? values.data.subarray(0, 0), end),
    };
    const [from, to] = [span.start * width, (span.start + span.length) * width];
    grown.keys.set(keys.data.subarray(from, to), span.position * width);
    grown.values.set(values.data.subarray(from, to), span.position * width);
    this.#layers[layer] = grown;
    return grown;
  }

  /** A memory of the same tokens that grows on its own. */
  copy(): SequenceMemory {
    const copy = new SequenceMemory();
    for (const [layer, { keys, values }] of this.#layers.entries())
      copy.#layers[layer] = { keys: keys.slice(), values: values.slice() };
    return copy;
  }
}

function grow(numbers: Floats, length: number): Floats {
  if (numbers.length >= length) return numbers;
  const Numbers = numbers instanceof Float64Array ? Float64Array : Float32Array;
  const grown = new Numbers(Math.max(length, 2 * numbers.length));
  grown.set(numbers);
  return grown;
}
