export { arrivedEvents } from './async/arrived-events.ts';
export { askPatiently, type AskOptions, type TakeTurn } from './async/ask-patiently.ts';
export { callWithin, type CallBounds } from './async/call-within.ts';
export { CleanupStack } from './async/cleanup-stack.ts';
export { backgroundClock, systemClock, type Clock } from './async/clock.ts';
export { growingPauseMs, type PauseGrowth } from './async/growing-pause.ts';
export { linkSignals, type LinkedSignal } from './async/linked-signal.ts';
export { pause, type PauseOptions } from './async/pause.ts';
export { Semaphore } from './async/semaphore.ts';
export { retryPatiently, type RetryPatientlyOptions } from './async/retry-patiently.ts';
export { settleWithin } from './async/settle-within.ts';
export { silenceLimit, type SilenceLimit } from './async/silence-limit.ts';
export { ArtError, type ArtErrorInit, type ErrorCode } from './errors/art-error.ts';
export { bucketNameExpected, checkBucketName, isBucketName } from './options/check-bucket-name.ts';
export { describeThrown } from './errors/describe-thrown.ts';
export { describeValue } from './errors/describe-value.ts';
export { anHttpUrl, httpUrlExpected, isHttpUrl } from './options/is-http-url.ts';
export { isRegion, regionExpected } from './options/is-region.ts';
export { shownUrl } from './options/shown-url.ts';
export { partitionOfRegion, type Partition } from './options/partition-of-region.ts';
export {
  aBoolean,
  aFunction,
  aNumber,
  anyObject,
  unchecked,
  aText,
  custom,
  matching,
  oneOf,
  optional,
  withMethod,
  type NumberRange,
  type OptionRule,
} from './options/option-rules.ts';
export { joinSentences } from './errors/join-sentences.ts';
export { isJsonObject, maxJsonDepth, type JsonObject, type JsonValue } from './json/json-value.ts';
export { unlessMissing } from './files/unless-missing.ts';
export { jsonIn, jsonObjectIn } from './json/json-in.ts';
export { parseJson } from './json/parse-json.ts';
export { copyJson, JsonCopy, type JsonTextMap } from './json/json-copy.ts';
export { fillFresh, freshBytes, mixIntoDraws } from './draws/fresh-bytes.ts';
export { freshId } from './draws/fresh-id.ts';
export { freshNumber } from './draws/fresh-number.ts';
export { reachAdvice } from './errors/reach-advice.ts';
export { readMember } from './errors/read-member.ts';
export { anObject, readOptions, type OptionRules, type ReadOptions } from './options/read-options.ts';
export { refuseData } from './options/refuse-data.ts';
export { refuseOption } from './options/refuse-option.ts';
export {
  folderHolder,
  holdFolder,
  lastHolder,
  type FolderHolder,
  type HeldFolder,
  type HoldFolderOptions,
} from './files/hold-folder.ts';
export { JsonLinesFile, type LinePlace } from './files/json-lines-file.ts';
export { openPlacedLines, type PlacedLines } from './files/open-placed-lines.ts';
export { readJsonLines, type JsonLine } from './files/read-json-lines.ts';
export { plainJson } from './json/plain-json.ts';
export { fileAdvice } from './files/file-advice.ts';
export { makeDirectory } from './files/make-directory.ts';
export { syncDirectory } from './files/sync-directory.ts';
export { decodeText, readTextLines, type TextLine, type TextSource } from './files/read-text-lines.ts';
export { connectionHeaders } from './http/connection-headers.ts';
export { isLoopback } from './http/is-loopback.ts';
export { type CallerRefusal, type CallerRules, refusedCaller } from './http/refused-caller.ts';
export { loopbackWithoutProxy } from './http/without-proxy.ts';
export { lingerMs, refuseMalformed } from './http/refuse-malformed.ts';
export { noRouteSchemas } from './http/no-route-schemas.ts';
export { requestTimeLimits } from './http/request-time-limits.ts';
export { isClockRefusal, signingAdvice } from './errors/signing-advice.ts';
export { redactedText, redactSecrets } from './secrets/redact-secrets.ts';
export { type RedactionOptions, type SecretNames, secretNames } from './secrets/secret-names.ts';
export { similarName } from './options/similar-name.ts';
export { stringifyJson, type StringifyJsonOptions } from './json/stringify-json.ts';
