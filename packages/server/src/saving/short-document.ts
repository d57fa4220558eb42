import { describeThrown, JsonCopy } from '@art/protocol';
import { type DocumentForm, failureDocument } from '../document/rollout-document.ts';

const mostCharacters = 16_384;
const mostReasonCharacters = 2_000;

/**
 * A small error document that says why the rollout's own could not be stored. It keeps as much of the payload as fits:
 * all of it, else `_rollout`, else nothing.
 */
export function shortDocument(storeError: unknown, form: DocumentForm): string {
  const reason = new Error(reasonOf(storeError));
  // The stack is that of the server and tells the reader of the document nothing.
  reason.stack = reason.message;
  const { payload } = form.context;
  let text = '';
  for (const kept of [payload, payload.only('_rollout'), new JsonCopy({})]) {
    ({ text } = failureDocument(reason, { ...form, context: { ...form.context, payload: kept } }));
    if (text.length <= mostCharacters) break;
  }
  return text;
}

function reasonOf(error: unknown): string {
  const { message } = describeThrown(error);
  const cut =
    message.length > mostReasonCharacters ? `${message.slice(0, mostReasonCharacters)} ...` : message;
  return `The result could not be stored: ${cut} The log of the agent has the whole document.`;
}
