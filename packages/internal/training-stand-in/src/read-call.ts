import { WireRefusal } from './wire-refusal.ts';

/** Which operation of which service a request is. */
export interface StandInCall {
  operation: string;
  session: string | undefined;
  operationId: string | undefined;
  isControl: boolean;
}

const runtimePath =
  /^\/v1\/training-sessions\/([a-zA-Z0-9-]{1,64})\/(operations|sampling-operations)(?:\/([a-zA-Z0-9-]{1,64}))?$/;
const chatPath = /^\/training-sessions\/([a-zA-Z0-9-]{1,64})\/(sample|sample-with-response-stream)$/;

export function readStandInCall(method: string, url: string, target: string): StandInCall {
  const isControl = url === '/' && target !== '';
  if (isControl)
    return {
      operation: target.replace(/^SageMaker\./, ''),
      session: undefined,
      operationId: undefined,
      isControl,
    };
  const [, session, kind = '', operationId] = runtimePath.exec(url) ?? chatPath.exec(url) ?? [];
  const names: Record<string, string> = {
    'POST operations': 'ExecuteTrainingOperation',
    'GET operations': 'GetTrainingOperationResult',
    'POST sampling-operations': 'ExecuteSamplingOperation',
    'GET sampling-operations': 'GetSamplingOperationResult',
    'POST sample': 'SampleTrainingSession',
    'POST sample-with-response-stream': 'SampleTrainingSessionWithResponseStream',
  };
  return { operation: names[`${method} ${kind}`] ?? `${method} ${url}`, session, operationId, isControl };
}

const controlOperations = [
  'CreateTrainingSession',
  'DescribeTrainingSession',
  'ListTrainingSessions',
  'StopTrainingSession',
  'DeleteTrainingSession',
  'DeleteModelPackage',
  'DescribeHubContent',
] as const;

/** @throws WireRefusal where the control plane has no such operation */
export function controlOperation(name: string): (typeof controlOperations)[number] {
  const found = controlOperations.find((operation) => operation === name);
  if (found === undefined) throw new WireRefusal('ValidationException', `Unknown operation ${name}.`);
  return found;
}
