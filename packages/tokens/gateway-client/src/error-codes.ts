export const errorCodes = {
  ART_GATEWAY_UNREACHABLE:
    'The gateway could not be reached, or the connection broke. Check its URL and that it runs.',
  ART_GATEWAY_TIMEOUT: 'The gateway did not answer in time.',
  ART_GATEWAY_NOT_FOUND: 'The gateway does not know the session, capture, worker or trajectory.',
  ART_GATEWAY_CONFLICT:
    'The gateway refuses this in the present state of the session: it exists already, or is closed.',
  ART_GATEWAY_DENIED: 'The gateway refused the admin token, or none was given.',
  ART_GATEWAY_REJECTED:
    'The gateway refused the request or failed at it. The message has its status and its words.',
  ART_GATEWAY_BAD_REPLY: 'What answered is not a gateway, or one that this client does not understand.',
} as const;
