import { pause } from '@art/ground';
import { ConnectionFault } from '../../s3/endpoint/register-s3-endpoint.ts';
import type { ErrorFault } from '../plan/fault.ts';
import type { StruckFault } from './injected-fault.ts';

/**
 * Does what can happen to any request, on either side of its effect. Returns where the request continues: a plan that was replaced, and a
 * caller who has left, end the wait of a delay and not the request.
 * @param errorOf the error as the service spells it
 */
export async function interrupt(
  struck: StruckFault,
  hangUp: AbortSignal,
  errorOf: (fault: ErrorFault) => Error,
): Promise<void> {
  const { fault, durationMs } = struck;
  struck.settle('done');
  switch (fault.kind) {
    case 'drop':
      throw new ConnectionFault('silence');
    case 'reset':
      throw new ConnectionFault('reset');
    case 'error':
      throw errorOf(fault);
    case 'delay':
      await pause(durationMs, { signal: AbortSignal.any([hangUp, struck.signal]) }).catch(() => {});
      return;
    default:
  }
}
