import type { GatewayFlags } from '@art/gateway';

/** `art gateway` as its user wants it: the flags of rllm-model-gateway, and what only this one has. */
export interface GatewayRunOptions extends GatewayFlags {
  /** YAML file. */
  config?: string | undefined;
  /** Control routes want it as Bearer token. */
  adminToken?: string | undefined;
  /** Model calls want the key of their session. */
  sessionKeys?: boolean | undefined;
  /** One JSON object a line on stdout instead of text on stderr. */
  json: boolean;
}
