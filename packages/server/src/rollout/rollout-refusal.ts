import { ArtError, isJsonObject } from '@art/protocol';
import { RequestRefusal } from '../request/request-refusal.ts';

/**
 * Runs a check of a rollout request whose failure is the caller's fault and answered with 400. An incomplete config alone
 * passes as it is and is answered with 500, as by the Python app, whose tests and callers look for that.
 * @throws RequestRefusal 400
 */
export function asRefusal<T>(check: () => T, payload: Record<string, unknown>): T {
  try {
    return check();
  } catch (error) {
    if (!ArtError.isInstance(error)) throw error;
    if (error.code === 'ART_INVALID_ROLLOUT_CONFIG' && isIncomplete(payload['_rollout'])) throw error;
    throw new RequestRefusal({ code: error.code, statusCode: 400, error: error.message, cause: error });
  }
}

function isIncomplete(config: unknown): boolean {
  if (!isJsonObject(config)) return false;
  const given = ['exp_id', 'input_id', 's3_bucket'].filter((field) => field in config).length;
  return given > 0 && given < 3;
}
