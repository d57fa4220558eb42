import type { SumTools } from './sums-script.ts';

/** Where an agent sends its calls, and with which key. */
export interface AgentAddress {
  /** Address for OpenAI's libraries. */
  openaiUrl: string;
  /** Address for Anthropic's libraries, which add `/v1` themselves. */
  anthropicUrl: string;
  apiKey: string;
}

/** An agent that plays through the sums; what it says in the end. */
export type SumAgent = (at: AgentAddress, tools: SumTools) => Promise<string>;
