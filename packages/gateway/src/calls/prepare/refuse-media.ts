import { ApiError } from '../../http/api-error.ts';
import type { StageServices } from '../call/gateway-services.ts';
import type { OpenedCall } from './open-call.ts';

/**
 * Refuses a call with images, audio or files where those are not to be served, or where what samples would not see them.
 * @throws ApiError 400
 */
export function refuseMedia({ options }: StageServices, { read, wire }: OpenedCall): void {
  // An engine in this process gets token ids and would sample without them.
  const isBlind = options.engine !== undefined && wire !== 'completions';
  if (options.media === 'mark' && !isBlind) return;
  const [media] = read?.media ?? [];
  if (media === undefined) return;
  const why = isBlind ? 'what samples here sees token ids only' : 'such calls cannot be trained on';
  throw new ApiError({
    status: 400,
    message: `Expected a call of text, got ${media.type} at ${media.path}: ${why}. Leave it out, or describe it in words.`,
    code: 'media_not_trainable',
    param: media.path,
  });
}
