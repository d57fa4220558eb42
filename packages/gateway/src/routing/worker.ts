import type { EngineFlavour } from '../engines/engine-flavour.ts';
import type { WorkerHealth } from './worker-health.ts';

/** One inference server as it is asked for. */
export interface WorkerOptions {
  /** Base URL, with or without the path of its API: `http://host:8000` or `http://host:8000/v1`. */
  url: string;
  /** @default the path of `url`, else `/v1` */
  apiPath?: string | undefined;
  /** @default a number for those of the configuration, a UUID for those that are added later */
  workerId?: string | undefined;
  /** What kind of server it is. @default found out by asking it; `vllm` where that tells nothing */
  flavour?: EngineFlavour | undefined;
  /** Calls for this model go only to workers that name it. @default any model */
  modelName?: string | undefined;
  /** Its share of new sessions relative to others, above 0. @default 1 */
  weight?: number | undefined;
}

/** One inference server as the gateway knows it. */
export interface Worker {
  readonly workerId: string;
  readonly url: string;
  readonly apiPath: string;
  readonly modelName: string | undefined;
  readonly weight: number;
  readonly givenFlavour: EngineFlavour | undefined;
  health: WorkerHealth;
  /** Calls under way. */
  activeCalls: number;
}
