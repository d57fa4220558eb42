/** An agent on the real server that does what its payload says; run by the local runtime in tests. */
import { AgentCoreRLApp } from '@art/agent';
import { lightSchema } from './light-schema.ts';

let runs = 0;
/** Gate that invocations wait for. */
const gate = Promise.withResolvers<void>();

const stateDir = process.env['STATE_DIR'];

const app = new AgentCoreRLApp({
  ...(stateDir !== undefined && { stateDir }),
  rolloutHandler: {
    requestSchema: lightSchema<{ do: string; bytes?: number; ms?: number; value?: unknown }>(
      (request) => typeof request.do === 'string',
    ),
    process: async (request, context) => {
      runs += 1;
      switch (request.do) {
        case 'reward':
          return { rewards: [0, 1], echo: request.value, finishedAtMs: Date.now() };
        case 'return':
          return request.value as Record<string, unknown>;
        case 'runs':
          return { reward: 1, runs };
        case 'gate':
          await gate.promise;
          return { reward: 1, runs };
        case 'open':
          gate.resolve();
          return { reward: 1 };
        case 'throw':
          throw new Error('the tool failed');
        case 'leak':
          // As a model client does when its key is refused.
          context.log.warn({ config: context.rollout?.raw }, 'the model refused the key');
          throw new Error(`401: wrong credentials in ${JSON.stringify(context.rollout?.raw)}`);
        case 'sleep':
          await new Promise((resolve) => setTimeout(resolve, request.ms));
          return { rewards: 1 };
        case 'model':
          await fetch(`${context.rollout?.baseUrl}/chat/completions`, { method: 'POST', body: '{}' });
          return { rewards: 1 };
        case 'nan':
          return { rewards: [1, Number.NaN] };
        case 'list':
          return [1, 2] as never;
        case 'large':
          return { rewards: 1, text: 'x'.repeat(request.bytes ?? 0) };
        case 'exit':
          // Only once the answer is out: this is a death in the middle of the work.
          setTimeout(() => {
            console.error('last words');
            process.exit(9);
          }, 50);
          return new Promise(() => undefined);
        case 'hang':
          await new Promise((resolve) => context.signal.addEventListener('abort', resolve));
          throw new Error('aborted');
        default:
          throw new Error(`unknown script ${request.do}`);
      }
    },
  },
});

await app.run();
