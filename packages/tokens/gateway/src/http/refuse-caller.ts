import type { IncomingMessage } from 'node:http';
import { type CallerRules, refusedCaller } from '@art/ground';
import { ApiError } from './api-error.ts';

/**
 * A web page would delete sessions, read captures or use the engines.
 * @throws ApiError 403
 */
export function refuseCaller(
  request: Pick<IncomingMessage, 'method' | 'headers'>,
  rules: Pick<CallerRules, 'host' | 'allowedHosts'>,
): void {
  const refusal = refusedCaller(request, rules);
  if (refusal === undefined) return;
  const { reason, message } = refusal;
  const advice =
    ' A name by which agents call the gateway, such as that of a tunnel, belongs in allowedHosts.';
  throw new ApiError({
    status: 403,
    message: reason === 'host' ? message + advice : message,
    code: `${reason}_refused`,
  });
}
