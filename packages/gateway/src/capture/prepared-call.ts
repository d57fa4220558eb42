import type { EngineFlavour } from '../engines/engine-flavour.ts';
import type { TextBytes } from './new-trace.ts';
import type { ClientWants } from './client-wants.ts';

/** The two wires of engines that a capture reads. */
export type CapturedEndpoint = 'chat' | 'completions';

/** What a call is to be turned into on its way to the engine. */
export interface CallPlan {
  flavour: EngineFlavour;
  endpoint: CapturedEndpoint;
  /** Ask the engine for logprobs where its flavour has them. */
  addLogprobs: boolean;
  /** Ask the engine for token ids where its flavour has them. */
  addTokenIds: boolean;
  /** Takes the place of the agent's `model`; undefined leaves the agent's. */
  model: string | undefined;
  /** The session's parameters: they win over the agent's members of the same name. */
  samplingParams: Readonly<Record<string, unknown>>;
  /**
   * Take out of the reply what the agent did not ask for. Where it is off, logprobs still go that only the gateway asked
   * for, as rllm-model-gateway has it.
   * @default true
   */
  stripEngineFields?: boolean | undefined;
}

/** A call as it goes to the engine, with what is needed to read and strip its reply. */
export interface PreparedCall {
  flavour: EngineFlavour;
  endpoint: CapturedEndpoint;
  /** The agent's bytes with the injected members spliced in; the same object where nothing had to change. */
  body: Uint8Array;
  stream: boolean;
  clientWants: ClientWants;
  stripEngineFields: boolean;
  /** Takes out the logprobs that only the gateway asked for where the engine's other fields stay. */
  stripLogprobs?: boolean | undefined;
  /** What a complete capture of this call has; a reply without it is marked. */
  expects: { tokenIds: boolean; logprobs: boolean };
  /** How many prompts the call has: more than one only where a completions call lists several. */
  promptCount: number;
  /** How many choices the reply will have: `n` for each prompt. */
  choiceCount: number;
  model: string | undefined;
  /** Raw JSON text each. A completions call with a text prompt has it as one user message; with token ids none. */
  messages: readonly TextBytes[];
  /** Raw JSON text. */
  tools: string | undefined;
  temperature: number | undefined;
  topP: number | undefined;
}
