/** The mock engine in its own process. Ends when its parent does. */
import type { AddressInfo } from 'node:net';
import { createMockEngine } from './mock-engine.ts';

const engine = createMockEngine();
engine.listen(0, '127.0.0.1', () => {
  process.send?.({ url: `http://127.0.0.1:${(engine.address() as AddressInfo).port}` });
});
process.once('disconnect', () => process.exit(0));
