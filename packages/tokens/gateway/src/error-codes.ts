export const errorCodes = {
  ART_GATEWAY_STORE_FULL:
    'The gateway has no room for another capture: its bounds or the disk are reached. Delete sessions or raise the bounds.',
  ART_GATEWAY_STORE_FAILED:
    'The capture store could not read or write its files. The message names the file.',
  ART_GATEWAY_SESSION_UNKNOWN: 'The gateway knows no session of this id, or it was dropped.',
  ART_GATEWAY_SESSION_EXISTS:
    'A session of this id was created or finished already. Use another id, or drop it first.',
  ART_GATEWAY_SESSION_GONE:
    'A session of the gateway was evicted or expired: late captures cannot be kept, or its rows are gone. Create it again.',
  ART_ENGINE_UNREACHABLE:
    'A worker of the gateway gave no answer: no connection, or it broke. Check that the engine runs at that URL.',
  ART_ENGINE_NO_WORKER:
    'The gateway has no healthy worker for this call. Add one, or wait until a health check finds one again.',
} as const;
