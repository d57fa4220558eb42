import type { ChaosPayload } from '../round/chaos-payload.ts';

/** Task of a client process, as JSON in a file. */
export interface ClientTask {
  endpoint: string;
  agentRuntimeArn: string;
  /** `http` speaks to the endpoint directly, `aws` through the AWS SDK. */
  transport: 'http' | 'aws';
  runId: string;
  payloads: ChaosPayload[];
  concurrency: number;
  timeoutMs: number;
  journal: { kind: 'file'; directory: string } | { kind: 'store' };
  acknowledge: 'next' | 'explicit';
  /** Where it writes `ClientLine`s. */
  outputFile: string;
}

export const chaosBucket = 'results';
