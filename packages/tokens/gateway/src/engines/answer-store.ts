import type { EngineReply } from './engine-transport.ts';

/** An answer of an engine, whole, as the engine sent it. */
export interface KeptAnswer {
  headers: EngineReply['headers'];
  body: Uint8Array;
}

/** Where answers are kept, by keys of 64 hexadecimal digits. */
export interface AnswerStore {
  /** Undefined where there is none. */
  read(key: string): Promise<KeptAnswer | undefined>;
  write(key: string, answer: KeptAnswer): Promise<void>;
}
