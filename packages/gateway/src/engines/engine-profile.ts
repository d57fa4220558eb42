import type { RoutedExperts } from '@art/trajectories';
import type { EngineFlavour } from './engine-flavour.ts';

/** A request that is about to go to an engine, as far as injection depends on it. */
export interface InjectionRequest {
  endpoint: 'chat' | 'completions';
  stream: boolean;
  addLogprobs: boolean;
  addTokenIds: boolean;
  /** The JSON text of a member of the body as it would go out; undefined where it has none. */
  value(name: string): string | undefined;
}

/** What an engine tells of itself to whoever asks for its lists and versions. */
export interface EngineEvidence {
  /** `owned_by` of its models. */
  owners: readonly string[];
  /** The object that a path answered with status 200; undefined where it answered otherwise. */
  reply(path: string): Promise<Readonly<Record<string, unknown>> | undefined>;
}

/** What the gateway knows of one kind of engine. */
export interface EngineProfile {
  flavour: EngineFlavour;
  /** Members that the body must have for a capture, as JSON text by name; what is right already is not listed. */
  inject(request: InjectionRequest): ReadonlyMap<string, string>;
  /** Whether its replies on this endpoint are bound to have token ids when they were asked for. */
  givesTokenIds(endpoint: 'chat' | 'completions'): boolean;
  /** Whether its replies may have members that agents do not expect. */
  hasEngineFields: boolean;
  /** What its routed experts are where the data itself does not tell. */
  routedExperts: RoutedExperts['encoding'];
  /** Routes beside OpenAI's that its releases have, the newer or the older ones. */
  routes: readonly string[];
  /**
   * Whether its own routes for Responses and Messages are used where it has them. Not of engines that would give token ids:
   * those routes give none.
   */
  hasNativeWires: boolean;
  /** Where to POST `{"rid": ...}` to stop a call whose connection is gone; undefined: dropping the connection does it. */
  abortPath: string | undefined;
  /** Whether this is the engine that the evidence is from. */
  recognise(evidence: EngineEvidence): Promise<boolean>;
}
