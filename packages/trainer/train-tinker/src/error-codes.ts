export const errorCodes = {
  ART_TINKER_REFUSED: 'The server refused a request. The message has its own words, and names the request.',
  ART_TINKER_UNREACHABLE:
    'The server could not be reached, or answered with errors of its own, for as long as it was tried.',
  ART_TINKER_UNPAID:
    'The account of the key is suspended: the server asks for a payment. Training went no further.',
  ART_TINKER_SESSION_ENDED: 'The session has ended: it was stopped, or the server missed its heartbeats.',
  ART_TINKER_OPERATION_FAILED: 'An operation failed at the server. The message has its words.',
  ART_TINKER_UNKNOWN_ANSWER:
    'The server answered in a shape that is not known here. Its wire is not documented and may have changed: try the other `encoding`.',
} as const;
