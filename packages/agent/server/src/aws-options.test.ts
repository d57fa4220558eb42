import type {
  FastifyBaseLogger,
  FastifyBodyParser,
  FastifyContentTypeParser,
  FastifyLoggerOptions,
  FastifyRequest,
} from 'fastify';
import type { WebSocket } from 'ws';
import { expect, expectTypeOf, it } from 'vitest';
import * as z from 'zod';
import { AgentCoreRLApp } from './agentcore-rl-app.ts';
import type { AgentCoreRLAppOptions } from './app-options.ts';
import type { RequestContext } from './request/request-context.ts';

// The option types of AWS's own app, as `bedrock-agentcore` 0.4.4 declares them (dist/src/runtime/types.d.ts). Restated: the
// package is 65 MB with what it depends on.
interface AwsContext {
  sessionId: string;
  headers: Record<string, string>;
  workloadAccessToken?: string | undefined;
  requestId?: string | undefined;
  oauth2CallbackUrl?: string | undefined;
  log: FastifyBaseLogger;
}

interface AwsOptions<TSchema extends z.ZodType = z.ZodType> {
  invocationHandler: {
    // Declared as Promise<unknown> | unknown | AsyncGenerator<...>, which is unknown.
    process: (request: z.infer<TSchema>, context: AwsContext) => unknown;
    requestSchema?: TSchema;
  };
  websocketHandler?: (socket: WebSocket, context: AwsContext) => Promise<void> | void;
  config?: {
    logging?: {
      enabled?: boolean;
      disableRequestLogging?: boolean | ((request: FastifyRequest) => boolean);
      options?: FastifyLoggerOptions;
    };
    contentTypeParsers?: {
      contentType: string | string[] | RegExp;
      parser: FastifyBodyParser<string | Buffer> | FastifyContentTypeParser;
      parseAs?: 'string' | 'buffer' | 'stream';
      bodyLimit?: number;
    }[];
  };
  pingHandler?: () => 'Healthy' | 'HealthyBusy' | Promise<'Healthy' | 'HealthyBusy'>;
}

it('takes the options of AWS\u2019s own app, by type', () => {
  expectTypeOf<AwsOptions['config']>().toExtend<AgentCoreRLAppOptions['config']>();
  expectTypeOf<AwsOptions['websocketHandler']>().toExtend<AgentCoreRLAppOptions['websocketHandler']>();
  expectTypeOf<AwsOptions['pingHandler']>().toExtend<AgentCoreRLAppOptions['pingHandler']>();
  expectTypeOf<RequestContext>().toExtend<AwsContext>();
  type Schema = z.ZodObject<{ prompt: z.ZodString }>;
  expectTypeOf<AwsOptions<Schema>>().toExtend<AgentCoreRLAppOptions<undefined, Schema>>();
});

it('runs an app written for AWS\u2019s own with its class swapped', async () => {
  const schema = z.object({ prompt: z.string() });
  const options: AwsOptions<typeof schema> = {
    invocationHandler: {
      requestSchema: schema,
      process: async function* ({ prompt }) {
        for (const word of prompt.split(' ')) yield { event: 'message', data: { text: word } };
      },
    },
    config: { logging: { enabled: false, options: { level: 'info' } } },
  };
  await using app = new AgentCoreRLApp(options);
  const answer = await app.inject({ method: 'POST', url: '/invocations', payload: '{"prompt":"a b"}' });
  expect(answer.headers['content-type']).toBe('text/event-stream');
  expect(answer.body).toBe('event: message\ndata: {"text":"a"}\n\nevent: message\ndata: {"text":"b"}\n\n');
});
