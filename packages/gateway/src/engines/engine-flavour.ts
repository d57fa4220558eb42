/** What kind of server a worker is; it decides what may be asked of it and where its token ids are. */
export const engineFlavours = ['vllm', 'sglang', 'trtllm', 'openai'] as const;

export type EngineFlavour = (typeof engineFlavours)[number];
