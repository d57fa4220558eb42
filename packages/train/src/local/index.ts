export type { PolicyShape } from './model/policy-shape.ts';
export type { LoraOptions } from './model/policy-weights.ts';
export { LocalSession, type LocalSessionOptions } from './session/local-session.ts';
