import type { IncomingHttpHeaders } from 'node:http';
import { jsonObjectIn } from '@art/ground';
import { JobRefusal, type TrajectoryName } from './trajectory-table.ts';

// Both from the service's model in botocore, 2026-02-01.
const jobArnPattern =
  /^arn:aws[a-z-]*:sagemaker:[a-z0-9-]*:[0-9]{12}:job\/[a-zA-Z0-9_-]+\/[a-zA-Z0-9](-*[a-zA-Z0-9]){0,62}$/;
const mostIdCharacters = 256;

/** The rollout that headers name, as calls of the model do. @throws JobRefusal 400 */
export function sampledTrajectory(headers: IncomingHttpHeaders): TrajectoryName {
  return checked(headers['x-amzn-sagemaker-job-arn'], headers['x-amzn-sagemaker-trajectory-id']);
}

/** The body of CompleteRollout or UpdateReward, with the rollout that it is about. @throws JobRefusal 400 */
export function feedbackBody(
  body: Buffer,
  headers: IncomingHttpHeaders,
): { name: TrajectoryName; members: Record<string, unknown>; token: string | undefined } {
  const members = jsonObjectIn(body.toString());
  if (members === undefined) throw invalid('the body to be a JSON object');
  // The model says the header; AWS's own Python SDK sends the member.
  const jobArn = headers['x-amzn-sagemaker-job-arn'] ?? members['JobArn'];
  const token = members['ClientToken'];
  if (token !== undefined && typeof token !== 'string') throw invalid('ClientToken to be a string');
  return { name: checked(jobArn, members['TrajectoryId']), members, token };
}

export function completionStatus({ Status: status = 'ready' }: Record<string, unknown>): 'ready' | 'failed' {
  if (status === 'ready' || status === 'failed') return status;
  throw invalid('Status to be ready or failed');
}

export function rewardList({ Rewards: rewards }: Record<string, unknown>): number[] {
  if (Array.isArray(rewards) && rewards.every((reward) => typeof reward === 'number')) return rewards;
  throw invalid('Rewards to be a list of numbers');
}

function checked(jobArn: unknown, trajectoryId: unknown): TrajectoryName {
  if (typeof jobArn !== 'string' || !jobArnPattern.test(jobArn))
    throw invalid(`JobArn to match ${jobArnPattern.source}`);
  if (typeof trajectoryId !== 'string' || trajectoryId === '' || trajectoryId.length > mostIdCharacters)
    throw invalid(`TrajectoryId to be 1 to ${mostIdCharacters} characters`);
  return { jobArn, trajectoryId };
}

function invalid(expected: string): JobRefusal {
  return new JobRefusal(400, `Expected ${expected}.`);
}
