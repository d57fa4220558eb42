/** An agent on the real server in its default options, whose rollouts are instant. Ends when its parent does. */
import { AgentCoreRLApp } from '@art/agent';
import { CountingStore } from './counting-store.ts';

const store = new CountingStore(Number(process.env['PUT_MS'] ?? 0));
const app = new AgentCoreRLApp({
  resultStore: store,
  rolloutHandler: { process: () => ({ rewards: 1 }) },
});
app.fastify.get('/_bench/stored', () => ({
  stored: store.stored,
  peakRssBytes: process.resourceUsage().maxRSS * 1_024,
}));
const address: unknown = await app.listen({ port: 0, host: '127.0.0.1' });
process.send?.({ endpoint: String(address) });
process.once('disconnect', () => process.exit(0));
