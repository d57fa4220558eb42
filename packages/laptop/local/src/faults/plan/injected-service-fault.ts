import { type FaultType, ServiceFault } from '../../service/service-fault.ts';
import type { ErrorFault } from './fault.ts';

// The service's own words, where they are known.
const shapes: Record<number, { type: FaultType; message: string }> = {
  400: { type: 'ValidationException', message: 'The request is not valid' },
  402: { type: 'ServiceQuotaExceededException', message: 'maxVms limit exceeded' },
  403: { type: 'AccessDeniedException', message: 'User is not authorized to perform this action' },
  404: { type: 'ResourceNotFoundException', message: 'No endpoint or agent found' },
  409: {
    type: 'RetryableConflictException',
    message: 'Session operation in progress, please retry',
  },
  424: {
    type: 'RuntimeClientError',
    message: 'Received error (500) from runtime. Please check your CloudWatch logs for more information.',
  },
  429: { type: 'ThrottlingException', message: 'Rate exceeded' },
  500: { type: 'InternalServerException', message: 'An internal error occurred' },
};

/** Titles of the answers that a load balancer in front of the service gives: HTML, and no error type. */
const gatewayTitles: Record<number, string> = {
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Time-out',
};

/** The statuses that an error of the data plane can have. */
export const dataPlaneFaultStatuses: readonly number[] = [shapes, gatewayTitles].flatMap((table) =>
  Object.keys(table).map(Number),
);

/** An error of the data plane as its SDKs would meet it. */
export function injectedServiceFault({ status, message, retryAfterMs }: ErrorFault): ServiceFault {
  const title = gatewayTitles[status];
  const shape = shapes[status] ?? { type: 'InternalServerException' as const, message: title ?? '' };
  return new ServiceFault({
    type: shape.type,
    message: message ?? shape.message,
    reason: status === 400 ? 'FieldValidationFailed' : undefined,
    retryAfterMs,
    gateway: title === undefined ? undefined : { httpStatus: status, title },
  });
}
