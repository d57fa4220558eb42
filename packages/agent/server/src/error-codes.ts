export const errorCodes = {
  ART_STATE_DIR:
    'The folder of an agent for the records of its invocations cannot be used. The message names it; see `stateDir`.',
  ART_WEB_PAGE_REFUSED: 'A page of another machine asked an agent that listens on loopback.',
  ART_NO_HANDLER: 'The agent server has no handler for this kind of request.',
  ART_NO_RESULT_STORE:
    'A rollout asks for its result to be stored and the agent server has no store. Set ART_RESULT_STORE or pass resultStore.',
  ART_INVALID_RESULT: 'A rollout handler returned something other than an object.',
  ART_SESSION_TERMINATED: 'The agent process was asked to stop before the rollout had finished.',
  ART_UNSUPPORTED_ENCODING: 'A request body has a content-encoding. Send it as it is; nothing is unpacked.',
} as const;
