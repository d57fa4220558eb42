export const errorCodes = {
  ART_INVALID_OPTION:
    'An option has the wrong type or is out of range. The message names it, what was expected and what came.',
  ART_JSON_PARSE:
    'A text is not JSON (NaN, Infinity and big integers are accepted). The message has line and column.',
  ART_JSON_WRITE: 'A value cannot be written as JSON without loss. The message has the JSON path.',
  ART_INVALID_BUCKET: 'A bucket is not a non-empty name, or one that would lead out of the store.',
  ART_CLOSED: 'The object was used after its close(), or closed while a call was under way.',
  ART_NO_RANDOM_DEVICE:
    'The system gives no random bytes: /dev/urandom is missing or cannot be read. Mount it in the container.',
  ART_PORT_TAKEN: 'Another program listens on the port that was asked for. Choose another one.',
  ART_INFRASTRUCTURE_ERROR:
    'The infrastructure of the agent failed, not the agent: its model endpoint, or what its handler named. The message says what.',
  ART_FOLDER_HELD:
    'Another process works in a folder that takes one at a time. The message names it; wait for it, end it, or choose another folder.',
  ART_FOLDER_NOT_HELD:
    'A folder cannot be locked: it cannot be written to, or its file system has no locks. Choose another one.',
  ART_REWARD_INVALID: 'A reward is not a finite number or a non-empty list of finite numbers.',
  ART_TEXT_ENCODING:
    'A file or an input is not UTF-8. The message names it and the line. Save it as UTF-8, for example with iconv.',
} as const;
