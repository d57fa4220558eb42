export { InvocationReplySchema } from './invocation-reply-schema.ts';
export { PingReplySchema } from './ping-schema.ts';
export { ErrorDocumentSchema, ResultDocumentSchema } from './result-document-schema.ts';
export { RolloutConfigSchema } from './rollout-config-schema.ts';
