export {
  type AnswerHead,
  type CallHead,
  readAnswerHead,
  readCallHead,
  seenReason,
  writeHead,
} from './calls/call-head.ts';
export { answerHeaders, type RawHeaders, requestHeaders } from './calls/forwarded-headers.ts';
export {
  type Hello,
  reachVersion,
  readHello,
  readWelcome,
  type Welcome,
  writeHello,
  writeWelcome,
} from './calls/hello.ts';
export { isSessionTarget, placeholderPath, placeholderUrl } from './calls/session-path.ts';
export { LinkStream, type StreamEvents } from './link/link-stream.ts';
export { openLink } from './link/open-link.ts';
export { type LinkEvents, type LinkSocket, ReachLink, type ReachLinkDeps } from './link/reach-link.ts';
export { reachError } from './reach-error.ts';
export {
  defaultReachLimits,
  mostHeadBytes,
  mostStreams,
  type ReachLimitOptions,
  reachLimitRules,
  type ReachLimits,
} from './wire/reach-limits.ts';
