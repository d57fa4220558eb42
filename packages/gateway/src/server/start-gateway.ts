import { startFront } from '../front/start-front.ts';
import { checkShardLayout } from '../front/shard-layout.ts';
import type { GatewayOptions } from '../options/gateway-options.ts';
import { resolveGatewayOptions } from '../options/resolve-gateway-options.ts';
import type { Gateway } from './gateway.ts';
import { runGateway } from './run-gateway.ts';

/**
 * Starts a gateway; it answers when the promise resolves.
 * @throws ArtError `ART_INVALID_OPTION`; `ART_PORT_TAKEN`; `ART_TOKENIZER_UNREADABLE`; `ART_GATEWAY_STORE_LOCKED` and
 * `ART_GATEWAY_STORE_FAILED` for a directory of traces that cannot be used; `ART_GATEWAY_PROCESS_LOST`
 */
export async function startGateway(options: GatewayOptions = {}): Promise<Gateway> {
  const resolved = resolveGatewayOptions(options);
  const { store, processes, host, port } = resolved;
  if (store.kind === 'own' && store.options.directory !== undefined) {
    await checkShardLayout(store.options.directory, processes);
  }
  return processes === 1 ? await runGateway(resolved, { host, port }) : await startFront(resolved);
}
