import { S3ResultStore } from '@art/store-s3';
import { HttpAgentRuntime, type LocalRuntime } from '@art/local';
import { RuntimeError } from '@art/protocol';
import { vi } from 'vitest';
import { pythonAgent, scriptedAgent, startInteropRuntime } from './interop-runtime.fixture.ts';

export type Twin = 'python' | 'typescript';

/** Answer of a container, whether or not the service let its body through. */
export interface ContainerReply {
  status: number;
  body: string;
}

/** The same script on the published Python app and on ours, each in one session that takes any number of requests. */
export interface TwinAgents extends AsyncDisposable {
  sessionId: string;
  send(twin: Twin, body: string): Promise<ContainerReply>;
  /** The text of a document, once it is there. */
  stored(bucket: string, key: string): Promise<string>;
}

export async function startTwinAgents(executable: string): Promise<TwinAgents> {
  const local = await startInteropRuntime({ python: pythonAgent(executable), typescript: scriptedAgent });
  const store = new S3ResultStore();
  const sessionId = 'twin-session-0123456789-0123456789-abc';
  const runtimes = {
    python: new HttpAgentRuntime({ endpoint: local.endpoint, agentRuntimeArn: local.arnOf('python') }),
    typescript: new HttpAgentRuntime({
      endpoint: local.endpoint,
      agentRuntimeArn: local.arnOf('typescript'),
    }),
  };
  return {
    sessionId,
    async send(twin, body) {
      try {
        return { status: 200, body: (await runtimes[twin].invoke({ sessionId, body })).body };
      } catch (error) {
        if (!RuntimeError.isInstance(error)) throw error;
        return containerError(local, twin, error);
      }
    },
    async stored(bucket, key) {
      const read = async (): Promise<string> => {
        const text = await store.get({ bucket, key });
        if (text === undefined) throw new Error(`Nothing was stored as ${key} in ${bucket}`);
        return text;
      };
      return vi.waitFor(read);
    },
    async [Symbol.asyncDispose]() {
      for (const runtime of Object.values(runtimes)) runtime.close();
      await store.close();
      await local.close();
      vi.unstubAllEnvs();
    },
  };
}

// The service hides what a container says in an error; the local one keeps it for anyone who debugs.
function containerError(local: LocalRuntime, twin: Twin, error: RuntimeError): ContainerReply {
  const hidden = local.sessions().find((session) => session.agent === twin)?.lastContainerError;
  if (error.httpStatus !== 424 || hidden === undefined) throw error;
  return { status: hidden.httpStatus, body: hidden.body };
}
