export { tokenEngine, type TokenEngineOptions } from './engine/token-engine.ts';
export type { SampledAnswer, SampleRequest, TokenSampler } from './token-sampler.ts';
