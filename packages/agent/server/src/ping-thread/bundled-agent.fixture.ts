/** An agent that says what its pings are answered by, and ends. */
import { AgentCoreRLApp } from '../agentcore-rl-app.ts';
import { pingThread } from './ping-thread.ts';

const app = new AgentCoreRLApp({ pingThread, config: { logging: { level: 'warn' } } });
void app.listen({ port: 0, host: '127.0.0.1' }).then(async (url) => {
  const answer = await fetch(`${url}/ping`);
  console.log(await answer.text());
  await app.close();
});
