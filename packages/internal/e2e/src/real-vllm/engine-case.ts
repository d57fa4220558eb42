import type { JsonObject } from '@art/ground';
import type { Said } from './read-said.ts';

/** An agent's end of a session at the gateway. */
export interface CaseAgent {
  /** @param path behind the session's address, from `/v1` on */
  post(path: string, body: JsonObject): Promise<Said>;
}

/** Calls of an agent that one gateway passes on to one engine. */
export interface EngineCase {
  name: string;
  /** True if turns continue from the tokens of the turn before. @default false */
  cumulative?: boolean;
  /** Parameters of the session; they win over what the agent's calls say. */
  samplingParams?: JsonObject;
  /**
   * True if each token was drawn from what the model gives, so that PyTorch can be asked for its logprob. Not where a grammar or a bias
   * came between. @default true
   */
  isUnbiased?: boolean;
  play(agent: CaseAgent): Promise<void>;
}
