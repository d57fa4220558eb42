/**
 * Every error code of the toolkit with what it means and what to do about it. The texts are the documentation:
 * the table in this package's README is checked against this object.
 */
export const errorCodes = {
  ART_INVALID_OPTION:
    'An option has the wrong type or is out of range. The message names it, what was expected and what came.',
  ART_INVALID_PAYLOAD: 'A payload is not a JSON object, or does not fit the request schema of the agent.',
  ART_INVALID_ROLLOUT_CONFIG:
    'The `_rollout` object (or `_config`) is incomplete or malformed. exp_id, input_id and s3_bucket come together or not at all.',
  ART_INVALID_RIP_REQUEST:
    'The `_agentcore_runtime` envelope of a payload does not fit version 1 of the Runtime Invocation Protocol.',
  ART_STATE_DIR:
    'The folder of an agent for the records of its invocations cannot be used. The message names it; see `stateDir`.',
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
  ART_RUNTIME_START_FAILED:
    'The session did not start: its agent was not healthy in time, or ended before (424). Certainly not delivered.',
  ART_CONTAINER_ERROR: 'The container refused the request, or died while it answered (424).',
  ART_RUNTIME_UNAVAILABLE:
    'The runtime failed, was not reached, or the connection broke (5xx, reset, time-out). `delivery` tells what may have arrived.',
  ART_AGENT_ERROR: 'The handler of the agent failed; its error document was stored.',
  ART_INFRASTRUCTURE_ERROR:
    'The surroundings of the agent failed, not the agent: its model endpoint, or what its handler named. The message says what.',
  ART_ROLLOUT_TIMEOUT: 'No result was stored before the deadline while the session was alive.',
  ART_ROLLOUT_LOST: 'The session ended without storing a result.',
  ART_ROLLOUT_CANCELLED: 'The rollout was cancelled by its caller.',
  ART_ROLLOUT_DETACHED:
    'The run was left with its sessions at work; a later process takes them over from the journal.',
  ART_TOO_MANY_FAILURES:
    'A run was ended because too many of its rollouts failed, or its first sessions all failed to start for one reason. Resume it from its journal.',
  ART_CLIENT_CLOSED: 'The client was closed before or during the call.',
  ART_DUPLICATE_ROLLOUT:
    'A rollout with the same result key is outstanding already; choose another session or input id.',
  ART_STORE_FAILED:
    'A result store could not do what it was asked. The message names operation, bucket and key.',
  ART_REWARD_INVALID: 'A reward is not a finite number or a non-empty list of finite numbers.',
  ART_WEB_PAGE_REFUSED: 'A page of another machine asked an agent that listens on loopback.',
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
  ART_GATEWAY_STORE_FULL:
    'The gateway has no room for another trace: its bounds or the disk are reached. Delete sessions or raise the bounds.',
  ART_GATEWAY_STORE_FAILED: 'The trace store could not read or write its files. The message names the file.',
  ART_GATEWAY_STORE_LOCKED:
    'Another process uses the directory of the trace store. Stop it, or choose another directory.',
  ART_GATEWAY_PROCESS_LOST: 'One of the processes of a gateway ended while it started. Its log says why.',
  ART_GATEWAY_SESSION_GONE:
    'A session of the gateway was evicted or expired: late traces cannot be kept, or its rows are gone. Create it again.',
  ART_GATEWAY_UNREACHABLE:
    'The gateway could not be reached, or the connection broke. Check its URL and that it runs.',
  ART_GATEWAY_TIMEOUT: 'The gateway did not answer in time.',
  ART_GATEWAY_NOT_FOUND: 'The gateway does not know the session, trace, worker or trajectory.',
  ART_GATEWAY_CONFLICT:
    'The gateway refuses this in the present state of the session: it exists already, or is closed.',
  ART_GATEWAY_DENIED: 'The gateway refused the admin token, or none was given.',
  ART_GATEWAY_REJECTED:
    'The gateway refused the request or failed at it. The message has its status and its words.',
  ART_GATEWAY_BAD_REQUEST:
    "A request cannot be put on the engine's wire as it is. The message names the member and what to do.",
  ART_GATEWAY_BAD_REPLY: 'What answered is not a gateway, or one that this client does not understand.',
  ART_INVALID_TRAINING_ROW:
    'A training row breaks an invariant of its format. The message names the row, the field and the first violation.',
  ART_INVALID_JSONL:
    'A line of a JSONL file is not a JSON object, or its last line is torn. The message has the line number.',
  ART_ENGINE_UNREACHABLE:
    'A worker of the gateway gave no answer: no connection, or it broke. Check that the engine runs at that URL.',
  ART_ENGINE_NO_WORKER:
    'The gateway has no healthy worker for this call. Add one, or wait until a health check finds one again.',
  ART_JOURNAL_LOCKED:
    'Another process holds the run of a journal. The message names host, process and since when.',
  ART_JOURNAL_LOST:
    'Another process has taken the run of this journal over; this one leaves everything to it.',
  ART_JOURNAL_NOT_FOUND: 'The journal has no such run.',
  ART_JOURNAL_EXISTS: 'The journal has a run of this id already. Resume it, or choose another id.',
  ART_JOURNAL_PAYLOADS_CHANGED:
    'The payloads are not those that the journal was written for. The message has the first indices that differ, or the counts.',
  ART_JOURNAL_CORRUPT:
    'A record of the journal cannot be read, other than a torn last line. The message has the line.',
  ART_JOURNAL_WRITE_FAILED:
    'The journal could not be written. Nothing was started without it; make room, then resume.',
  ART_OUTPUT_FAILED: 'A file of results could not be written. Make room, or name another one.',
  ART_TOKENIZER_UNREADABLE:
    'A checkpoint folder has no usable tokenizer or chat template. The message names the file and what is wrong with it.',
  ART_TEMPLATE_FAILED:
    "The model's chat template refused the messages of a call, or could not cope with them.",
  ART_UNSUPPORTED_MESSAGE: 'A message holds something that cannot be rendered to tokens, such as an image.',
  ART_RENDER_FAILED:
    'The thread that renders prompts ended while it worked on this one. It is started again.',
  ART_UNSUPPORTED_ENCODING: 'A request body has a content-encoding. Send it as it is; nothing is unpacked.',
} as const;

/** A stable, documented error code; see {@link errorCodes}. */
export type ErrorCode = keyof typeof errorCodes;
