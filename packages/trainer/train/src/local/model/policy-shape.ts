/** The size of a small transformer of the Qwen3 architecture: a head for keys and values for each head of queries, no shared embedding. */
export interface PolicyShape {
  /** How many different tokens there are. */
  vocabularySize: number;
  hiddenSize: number;
  /** The size of the feed-forward layers. */
  intermediateSize: number;
  layers: number;
  heads: number;
  headSize: number;
  /** Most tokens of a sequence. */
  maxContext: number;
  /** The token that ends an answer. */
  endToken: number;
}

/** Numbers that no policy of this size needs to change. */
export const ropeTheta = 10_000;
export const normEps = 1e-6;

/** The shape as `config.json` of a Qwen3 checkpoint, which PyTorch's transformers and vLLM read. */
export function qwen3Config(shape: PolicyShape): Record<string, unknown> {
  return {
    architectures: ['Qwen3ForCausalLM'],
    model_type: 'qwen3',
    vocab_size: shape.vocabularySize,
    hidden_size: shape.hiddenSize,
    intermediate_size: shape.intermediateSize,
    num_hidden_layers: shape.layers,
    num_attention_heads: shape.heads,
    num_key_value_heads: shape.heads,
    head_dim: shape.headSize,
    max_position_embeddings: shape.maxContext,
    tie_word_embeddings: false,
    hidden_act: 'silu',
    rms_norm_eps: normEps,
    rope_theta: ropeTheta,
    attention_bias: false,
    attention_dropout: 0,
    torch_dtype: 'float32',
    bos_token_id: null,
    eos_token_id: shape.endToken,
    // With one, PyTorch would not train its embedding.
    pad_token_id: null,
  };
}
