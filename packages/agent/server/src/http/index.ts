// What an HTTP server in front of the app needs to refuse requests as the app does.
export { LingeringResponse } from './lingering-response.ts';
export { withholdContinue } from './request-limits.ts';
