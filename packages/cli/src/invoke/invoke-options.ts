/** `art invoke` as its user wants it; every value but the payload has been checked. */
export interface InvokeOptions {
  /** JSON text, `@file`, or `-` for stdin. */
  payload: string;
  /** Runtime on AgentCore. @default the `art dev` of this folder */
  arn?: string | undefined;
  qualifier?: string | undefined;
  bucket?: string | undefined;
  endpoint?: string | undefined;
  /** @default 's3' where there is a bucket, else 'rip' */
  wire?: 's3' | 'rip' | undefined;
  expId: string;
  inputId?: string | undefined;
  sessionId?: string | undefined;
  baseUrl?: string | undefined;
  modelId?: string | undefined;
  /** Further fields of `_rollout`. */
  set?: Readonly<Record<string, unknown>> | undefined;
  timeoutMs: number;
  /** Whether the store is asked first whether results can be read. @default true */
  storeCheck?: boolean | undefined;
  /** One JSON object instead of text for people. */
  json: boolean;
}
