import type { EngineFlavour } from './engine-flavour.ts';
import type { EngineProfile } from './engine-profile.ts';
import { openai } from './openai.ts';
import { sglang } from './sglang.ts';
import { trtllm } from './trtllm.ts';
import { vllm } from './vllm.ts';

/** What is known of each kind of engine. */
export const engineProfiles: Readonly<Record<EngineFlavour, EngineProfile>> = {
  vllm,
  sglang,
  trtllm,
  openai,
};
