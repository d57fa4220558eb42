import { Writable } from 'node:stream';
import { AgentCoreRLApp } from '../agentcore-rl-app.ts';
import { type AgentCoreRLAppOptions } from '../app-options.ts';
import { pingThread } from './ping-thread.ts';

export interface TestApp {
  app: AgentCoreRLApp;
  /** The lines of its log. */
  lines: Record<string, unknown>[];
}

/** An app behind a ping thread, or one that answers for itself. */
export function testApp(
  options: AgentCoreRLAppOptions = {},
  door: 'the thread' | 'the app' = 'the thread',
): TestApp {
  const lines: Record<string, unknown>[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      for (const line of chunk.toString().split('\n'))
        if (line !== '') lines.push(JSON.parse(line) as Record<string, unknown>);
      done();
    },
  });
  const config = { ...options.config, logging: { level: 'debug' as const, options: { stream } } };
  return {
    app: new AgentCoreRLApp({ ...(door === 'the thread' && { pingThread }), ...options, config }),
    lines,
  };
}
