/**
 * Every error code of the toolkit with what it means and what to do about it. The texts are the documentation:
 * the table in this package's README is checked against this object.
 */
export const errorCodes = {
  ART_INVALID_OPTION:
    'An option has the wrong type or is out of range. The message names it, what was expected and what came.',
  ART_INVALID_PAYLOAD: 'A payload is not a JSON object, or does not fit the request schema of the agent.',
  ART_INVALID_ROLLOUT_CONFIG:
    'The `_rollout` object is incomplete or malformed. exp_id, input_id and s3_bucket come together or not at all.',
  ART_INVALID_RESULT_KEY:
    'exp_id, input_id or session_id cannot form a result key: empty part, dot segment, control character or more than 1,024 bytes.',
  ART_INVALID_SESSION_ID:
    'A session id is not 33 to 256 letters, digits, `-` and `_`, starting with a letter or digit.',
  ART_INVALID_ARN: 'A string is not the ARN of an AgentCore runtime.',
  ART_JSON_PARSE:
    'A text is not JSON (NaN, Infinity and big integers are accepted). The message has line and column.',
  ART_JSON_WRITE: 'A value cannot be written as JSON without loss. The message has the JSON path.',
  ART_INVALID_REPLY: 'The agent answered an invocation with something other than {"status":"processing"}.',
  ART_RESULT_KEY_MISMATCH:
    'The agent announced another bucket or key than the client computed; its result would land where nobody looks.',
  ART_INVALID_DOCUMENT: 'A stored result is not a readable JSON object with the reserved fields.',
  ART_RUNTIME_THROTTLED: 'The runtime refused the call under its rate limit (429). Certainly not delivered.',
  ART_RUNTIME_QUOTA:
    'The runtime has no room for another session (402). Stop sessions or wait. Certainly not delivered.',
  ART_RUNTIME_CONFLICT: 'The session is being set up or torn down (409). Certainly not delivered; try again.',
  ART_RUNTIME_REJECTED:
    'The runtime refused the request itself: bad input, credentials, permissions or an unknown runtime.',
  ART_CONTAINER_ERROR: 'The container refused the request, did not start, or died while it answered (424).',
  ART_RUNTIME_UNAVAILABLE:
    'The runtime failed or the connection broke (5xx, reset, time-out). The call may have been delivered.',
  ART_AGENT_ERROR: 'The handler of the agent failed; its error document was stored.',
  ART_ROLLOUT_TIMEOUT: 'No result was stored before the deadline while the session was alive.',
  ART_ROLLOUT_LOST: 'The session ended without storing a result.',
  ART_ROLLOUT_CANCELLED: 'The rollout was cancelled by its caller.',
  ART_CLIENT_CLOSED: 'The client was closed before or during the call.',
  ART_DUPLICATE_ROLLOUT:
    'A rollout with the same result key is outstanding already; choose another session or input id.',
  ART_STORE_FAILED:
    'A result store could not do what it was asked. The message names operation, bucket and key.',
  ART_REWARD_INVALID: 'A reward is not a finite number or a non-empty list of finite numbers.',
  ART_NO_HANDLER: 'The agent server has no handler for this kind of request.',
  ART_SESSION_START_FAILED:
    'A local session process did not become healthy. The message has the end of its log.',
  ART_INVALID_BUCKET: 'A bucket is not a non-empty name, or one that would lead out of the store.',
  ART_INVALID_RESULT_BODY: 'What is to be stored is not well-formed text.',
  ART_STORE_DENIED:
    'The store refused access. Check credentials and permissions; the message names the permission.',
  ART_STORE_NO_BUCKET: 'The bucket does not exist. Create it, or check its name and region.',
  ART_STORE_NO_CREDENTIALS: 'The store found no credentials to sign in with, or they have expired.',
  ART_STORE_BUSY: 'The store asked to slow down, or writers collided, longer than was worth waiting for.',
  ART_CLOSED: 'The object was used after its close(), or closed while a call was under way.',
  ART_NO_RESULT_STORE:
    'A rollout asks for its result to be stored and the agent server has no store. Set ART_RESULT_STORE or pass resultStore.',
  ART_INVALID_RESULT: 'A rollout handler returned something other than an object.',
  ART_SESSION_TERMINATED: 'The agent process was asked to stop before the rollout had finished.',
  ART_NO_DEV_INSTANCE:
    'No running `art dev` was found for this folder. Start one, or name a runtime with --arn.',
  ART_PORT_TAKEN: 'Another program listens on the port that was asked for. Choose another one.',
  ART_STORE_NO_QUEUE:
    'The queue that should bring notifications of new results does not exist. Create it, or check its URL.',
} as const;

/** A stable, documented error code; see {@link errorCodes}. */
export type ErrorCode = keyof typeof errorCodes;
