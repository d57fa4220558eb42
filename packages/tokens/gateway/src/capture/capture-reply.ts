import { ArtError } from '@art/ground';
import { ByteEdits } from '../json-bytes/byte-edits.ts';
import { JsonScanner } from '../json-bytes/json-scanner.ts';
import type { CapturedReply } from './captured-reply.ts';
import type { PreparedCall } from './prepare-call.ts';
import { readReply } from './read-reply.ts';
import { ReplyDraft } from './reply-draft.ts';

/** An engine's reply on its way to the agent, and its capture. */
export interface ReplyCapture {
  /** The engine's bytes without what the agent did not ask for; the same object where nothing was to be cut. */
  body: Uint8Array;
  captured: CapturedReply;
}

/**
 * Reads a whole reply, and cuts from its bytes what the agent did not ask for. Never throws on what an engine sends: a
 * body that is no JSON object comes back as it is, with no choices and with `captured.error`.
 */
export function captureReply(body: Uint8Array, call: PreparedCall): ReplyCapture {
  const draft = new ReplyDraft(call);
  const scanner = new JsonScanner(body);
  const edits = new ByteEdits();
  try {
    const part = readReply(scanner, call, edits);
    if (part === undefined) {
      draft.addError('The reply is JSON, but no object.');
      return { body, captured: draft.finish(false) };
    }
    draft.add(part);
    return { body: edits.apply(scanner.bytes), captured: draft.finish(true) };
  } catch (error) {
    if (!ArtError.isInstance(error) || error.code !== 'ART_JSON_PARSE') throw error;
    const unread = new ReplyDraft(call);
    unread.addError(error.message);
    return { body, captured: unread.finish(false) };
  }
}
