import type { ResolvedGatewayOptions } from '../options/resolve-gateway-options.ts';

/** What the front tells a gateway process. */
export type MessageToShard =
  | { kind: 'start'; options: ResolvedGatewayOptions; socketPath: string }
  /** Drain and exit. */
  | { kind: 'close' };

/** What a gateway process tells the front. */
export type MessageFromShard =
  | { kind: 'ready' }
  /** It could not start; `code` where an ArtError said why. */
  | { kind: 'failed'; code: string | undefined; message: string };
