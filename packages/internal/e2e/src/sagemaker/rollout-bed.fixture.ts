import {
  type JobFault,
  type LocalJobRuntimeOptions,
  startLocalJobRuntime,
} from '@art/server-sagemaker/local';
import { startMockModel } from '@art/mock-model';
import { onTestFinished } from 'vitest';

export const jobArn = 'arn:aws:sagemaker:us-west-2:123456789012:job/agent-rft/referees';
export const keys = { AWS_ACCESS_KEY_ID: 'AKIAREFEREE', AWS_SECRET_ACCESS_KEY: 'secret' };

export interface SeenCall {
  operation: string;
  jobArn: unknown;
  trajectoryId: unknown;
  members: Record<string, unknown>;
}

/** A job runtime in front of a scripted model, which notes every call that it sees. */
export async function openRolloutBed(fault: LocalJobRuntimeOptions['fault'] = () => undefined) {
  const model = await startMockModel();
  onTestFinished(() => model.close());
  const calls: SeenCall[] = [];
  const runtime = await startLocalJobRuntime({
    modelUrl: model.baseUrl,
    fault: (call): JobFault | undefined => {
      const members = JSON.parse(call.body.toString()) as Record<string, unknown>;
      const { JobArn: named, TrajectoryId: completed, ClientToken: _token, ...rest } = members;
      calls.push({
        operation: call.operation,
        jobArn: call.headers['x-amzn-sagemaker-job-arn'] ?? named,
        trajectoryId: call.headers['x-amzn-sagemaker-trajectory-id'] ?? completed,
        members: rest,
      });
      return fault(call);
    },
  });
  onTestFinished(() => runtime.close());
  return { runtime, calls };
}
