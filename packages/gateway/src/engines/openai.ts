import type { EngineProfile } from './engine-profile.ts';

/** `owned_by` of servers that never give token ids: llama.cpp, LMDeploy, Ollama, LM Studio. */
const plainOwners = new Set(['llamacpp', 'lmdeploy', 'library', 'organization_owner']);

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
  // Most such servers have no mark: they are what an operator says they are.
  recognise: (evidence) => Promise.resolve(evidence.owners.some((owner) => plainOwners.has(owner))),
};
