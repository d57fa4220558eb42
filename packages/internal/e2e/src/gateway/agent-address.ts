import type { SumTools } from './sums-script.ts';

/** Where an agent sends its calls, and with which key. */
export interface AgentAddress {
  /** What OpenAI's libraries take. */
  openaiUrl: string;
  /** What Anthropic's take, which add `/v1` themselves. */
  anthropicUrl: string;
  apiKey: string;
}

/** An agent that plays through the sums; what it says in the end. */
export type SumAgent = (at: AgentAddress, tools: SumTools) => Promise<string>;
