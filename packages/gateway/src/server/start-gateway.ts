import type { GatewayOptions } from '../options/gateway-options.ts';
import { resolveGatewayOptions } from '../options/resolve-gateway-options.ts';
import type { Gateway } from './gateway.ts';
import { runGateway } from './run-gateway.ts';

/**
 * Starts a gateway; it answers when the promise resolves.
 * @throws ArtError `ART_INVALID_OPTION`; `ART_PORT_TAKEN`; `ART_TOKENIZER_UNREADABLE`; `ART_GATEWAY_STORE_LOCKED` and
 * `ART_GATEWAY_STORE_FAILED` for a directory of traces that cannot be used
 */
export async function startGateway(options: GatewayOptions = {}): Promise<Gateway> {
  return await runGateway(resolveGatewayOptions(options));
}
