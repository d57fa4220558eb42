import type { EngineProfile } from './engine-profile.ts';

/**
 * Any other server with OpenAI's interface: nothing is injected, since OpenAI and many proxies refuse members that they do
 * not know, and nothing is stripped. Its calls are captured as text unless the agent asked for token ids itself.
 */
export const openai: EngineProfile = {
  flavour: 'openai',
  inject: () => new Map(),
  givesTokenIds: () => false,
  hasEngineFields: false,
  routedExperts: 'unknown',
  routes: [],
  hasNativeWires: true,
  abortPath: undefined,
  // It has no mark of its own: it is what an operator says it is.
  recognise: () => Promise.resolve(false),
};
