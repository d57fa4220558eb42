/** `@art/gateway` in front of the engine: memory store and default options, or with raw bodies kept. Ends when its parent does. */
import { startGateway } from '@art/gateway';

const gateway = await startGateway({
  port: 0,
  workers: [{ url: process.env['ENGINE_URL']! }],
  keepRawBodies: process.env['KEEP_RAW_BODIES'] === '1',
});
process.send?.({ url: gateway.url });
process.once('disconnect', () => process.exit(0));
