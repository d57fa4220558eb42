export const errorCodes = {
  ART_INVALID_PAYLOAD: 'A payload is not a JSON object, or does not fit the request schema of the agent.',
  ART_INVALID_ROLLOUT_CONFIG:
    'The `_rollout` object (or `_config`) is incomplete or malformed. exp_id, input_id and s3_bucket come together or not at all.',
  ART_INVALID_RIP_REQUEST:
    'The `_agentcore_runtime` envelope of a payload does not fit version 1 of the Runtime Invocation Protocol.',
  ART_INVALID_RESULT_KEY:
    'exp_id, input_id or session_id cannot form a result key: empty part, dot segment, control character or more than 1,024 bytes.',
  ART_INVALID_SESSION_ID:
    'A session id is not 33 to 256 letters, digits, `-` and `_`, starting with a letter or digit.',
  ART_INVALID_ARN: 'A string is not the ARN of an AgentCore runtime.',
  ART_INVALID_REPLY: 'The agent answered an invocation with something other than {"status":"processing"}.',
  ART_INVALID_DOCUMENT: 'A stored result is not a readable JSON object with the reserved fields.',
  ART_RUNTIME_THROTTLED: 'The runtime refused the call under its rate limit (429). Certainly not delivered.',
  ART_RUNTIME_QUOTA:
    'The runtime has no room for another session (402). Stop sessions or wait. Certainly not delivered.',
  ART_RUNTIME_CONFLICT: 'The session is being set up or torn down (409). Certainly not delivered; try again.',
  ART_RUNTIME_REJECTED:
    'The runtime refused the request itself: bad input, credentials, permissions or an unknown runtime.',
  ART_RUNTIME_START_FAILED:
    'The session did not start: its agent was not healthy in time, or ended before (424). Certainly not delivered.',
  ART_CONTAINER_ERROR: 'The container refused the request, or died while it answered (424).',
  ART_RUNTIME_UNAVAILABLE:
    'The runtime failed, was not reached, or the connection broke (5xx, reset, time-out). `delivery` tells what may have arrived.',
  ART_ROLLOUT_TIMEOUT: 'No result was stored before the deadline while the session was alive.',
} as const;
