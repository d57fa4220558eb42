export { tokenEngine, type TokenEngineOptions } from './engine/token-engine.ts';
