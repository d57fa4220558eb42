import { ArtError } from '@art/ground';

/**
 * Error for handlers to throw where the infrastructure failed and not the agent: a search index, a sandbox, a database, a model that
 * is not the rollout's own. Its rollout becomes an `infra_error`: tried again, and never counted as a failure of the policy.
 * It may also be the `cause` of what is thrown.
 *
 * @example throw new InfrastructureError('The search index does not answer.', { cause: error })
 */
export class InfrastructureError extends ArtError {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super({ code: 'ART_INFRASTRUCTURE_ERROR', message, cause: options.cause });
  }

  static override isInstance(value: unknown): value is InfrastructureError {
    return ArtError.isInstance(value) && value.code === 'ART_INFRASTRUCTURE_ERROR';
  }
}
