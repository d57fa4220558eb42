export { tokenEngine, type TokenEngineOptions } from './engine/token-engine.ts';
export type { SampledAnswer, TokenSamplerRequest, TokenSampler } from './token-sampler.ts';
