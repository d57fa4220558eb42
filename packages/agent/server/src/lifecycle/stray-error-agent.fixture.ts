/** An agent whose handlers leave something behind that fails later; `prompt` says what. None of them ever finishes. */
import { AgentCoreRLApp } from '../agentcore-rl-app.ts';
import { InfrastructureError } from '../infrastructure/infrastructure-error.ts';

const strays: Record<string, () => void> = {
  rejection: () => void Promise.reject(new Error('a promise that nobody waits for')),
  timer: () => {
    setTimeout(() => {
      throw new Error('a throw in a callback');
    }, 1);
  },
  outage: () => void Promise.reject(new InfrastructureError('The search index is down.')),
  value: () => {
    // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- handlers in plain JavaScript reject with anything
    void Promise.reject('a text for an error');
  },
};

const app = new AgentCoreRLApp({
  rolloutHandler: {
    process: (request) => {
      strays[String(request['prompt'])]?.();
      return new Promise<object>(() => undefined);
    },
  },
});
const listening = process.env['ART_TEST_ONLY_LISTEN'] === undefined ? app.run : app.listen;
void listening.call(app, { host: '127.0.0.1', port: 0 });
