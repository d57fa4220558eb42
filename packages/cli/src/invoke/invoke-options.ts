import type { TargetOptions } from '../connection/invoke-target.ts';

/** `art invoke` as its user wants it; every value but the payload has been checked. */
export interface InvokeOptions extends TargetOptions {
  /** JSON text, `@file`, or `-` for stdin. */
  payload: string;
  qualifier?: string | undefined;
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
