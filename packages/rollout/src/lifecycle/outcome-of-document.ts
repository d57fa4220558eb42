import {
  ArtError,
  finalReward,
  isSuccessDocument,
  parseResultDocument,
  type RolloutOutcome,
} from '@art/protocol';

/** What a stored text says about its rollout. */
export function outcomeOfDocument(text: string): RolloutOutcome {
  let document;
  try {
    document = parseResultDocument(text);
  } catch (error) {
    return { kind: 'invalid_result', error: error as ArtError, text };
  }
  if (isSuccessDocument(document)) return { kind: 'ok', document, reward: finalReward(document) };
  const reason = typeof document.stop_reason === 'string' ? document.stop_reason : 'no stop_reason given';
  return {
    kind: 'agent_error',
    document,
    error: new ArtError({
      code: 'ART_AGENT_ERROR',
      message: `The agent failed with status ${document.status_code}: ${reason}`,
    }),
  };
}
