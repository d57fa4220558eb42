import { WireRequestError } from '@art/model-wires';
import { readCall } from '../../capture/prepare-call.ts';
import { ApiError } from '../../http/api-error.ts';
import type { AdmittedCall } from '../call/call.ts';
import type { CallContext } from '../call/call-context.ts';
import type { Exchange } from './open-exchange.ts';

/**
 * Refuses a call with images, audio or files where those are not to be served, or where what samples would not see them.
 * @param opened the call in the engine's wire, or why it cannot be put on it
 * @throws ApiError 400
 */
export function refuseMedia(
  { options }: CallContext,
  { body, target }: AdmittedCall,
  opened: Exchange | WireRequestError,
): void {
  // An engine in this process gets token ids and would sample without them.
  const isBlind = options.engine !== undefined && target.endpoint !== 'completions';
  if (options.media === 'mark' && !isBlind) return;
  const read =
    opened instanceof WireRequestError
      ? readCall(body, { endpoint: 'chat', model: undefined, samplingParams: {} })
      : opened.read;
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
