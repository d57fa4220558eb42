import {
  type Clock,
  systemClock,
  anHttpUrl,
  aBoolean,
  aFunction,
  aNumber,
  anyObject,
  aText,
  oneOf,
  optional,
  type OptionRules,
  readOptions,
} from '@art/ground';

/** Where a session trains, and what. */
export interface TinkerTrainingOptions {
  /** Name of the base model as the server lists it. */
  baseModel: string;
  /** `tml-...`, or any text for a server without keys. It is sent to `baseUrl` only. */
  apiKey: string;
  /** @default 'https://tinker.thinkingmachines.dev/services/tinker-prod' */
  baseUrl?: string | undefined;
  /** Rank of the adapter. @default 32 */
  loraRank?: number | undefined;
  /** Seed of the adapter's first weights. @default the server's own */
  seed?: number | undefined;
  /** @default true */
  trainUnembed?: boolean | undefined;
  /** @default true */
  trainMlp?: boolean | undefined;
  /** @default true */
  trainAttention?: boolean | undefined;
  /**
   * How passes and results are written. Tinker's own client writes protobuf since 0.25; SkyRL since 0.4.0 takes nothing else, and SkyRL 0.3.0 takes JSON.
   * @default 'protobuf'
   */
  encoding?: 'json' | 'protobuf' | undefined;
  /**
   * How the server brings the losses of tokens together. Tinker sums; SkyRL takes the mean of each row: its advantages are multiplied by the
   * weights of the row, so that the sum comes out, but for a factor that Adam does not see. @default 'sum'
   */
  reduction?: 'sum' | 'row-mean' | undefined;
  /** Samples under way at once. @default 400 */
  maxConcurrentSamples?: number | undefined;
  /** How long a suspended account is waited for. @default 3_600_000 */
  unpaidForMs?: number | undefined;
  /** Hears of waiting that takes long: a queue, a suspended account, heartbeats that fail. @default nobody */
  onNotice?: ((message: string) => void) | undefined;
  /** @default the real clock */
  clock?: Clock | undefined;
}

const rules = {
  baseModel: aText,
  apiKey: aText,
  baseUrl: optional(anHttpUrl, 'https://tinker.thinkingmachines.dev/services/tinker-prod'),
  loraRank: optional(aNumber({ min: 1, integer: true }), 32),
  seed: optional(aNumber({ integer: true })),
  trainUnembed: optional(aBoolean, true),
  trainMlp: optional(aBoolean, true),
  trainAttention: optional(aBoolean, true),
  encoding: optional(oneOf('json', 'protobuf'), 'protobuf' as const),
  reduction: optional(oneOf('sum', 'row-mean'), 'sum' as const),
  maxConcurrentSamples: optional(aNumber({ min: 1, integer: true }), 400),
  unpaidForMs: optional(aNumber({ min: 0 }), 3_600_000),
  onNotice: optional(aFunction<(message: string) => void>(), () => undefined),
  clock: optional(anyObject<Clock>(), systemClock),
} satisfies OptionRules<TinkerTrainingOptions>;

export type ResolvedTinkerOptions = ReturnType<typeof readTinkerOptions>;

/** @throws ArtError `ART_INVALID_OPTION` */
export function readTinkerOptions(options: TinkerTrainingOptions) {
  const read = readOptions('tinkerTraining', options, rules);
  return { ...read, baseUrl: read.baseUrl.replace(/\/+$/, '') };
}
