import {
  type JsonTextMap,
  redactRolloutSecrets,
  type RedactionOptions,
  secretScrubber,
  secretsInHeaders,
} from '@art/protocol';
import type { IncomingHttpHeaders } from 'node:http';
import type { LogRedaction } from '../logging/log-redaction.ts';

/** What keeps the secrets of one rollout to its handler. */
export interface RolloutSecrets {
  /** Takes them out of the document. Undefined where there are none. */
  mapText: JsonTextMap | undefined;
  /** Lets the log forget them. */
  release: () => void;
}

/** Finds the secrets of rollouts, so that none is stored or logged. */
export class RolloutRedaction {
  readonly #options: RedactionOptions;
  readonly #log: LogRedaction;

  constructor(options: RedactionOptions, log: LogRedaction) {
    this.#options = options;
    this.#log = log;
  }

  /** A payload as it may be stored. Its secrets, and those of the headers, are kept out of the log from here on. */
  redact(
    payload: Record<string, unknown>,
    headers: IncomingHttpHeaders,
  ): { payload: Record<string, unknown>; secrets: RolloutSecrets } {
    const redacted = redactRolloutSecrets(payload, this.#options);
    const secrets = [...new Set([...redacted.secrets, ...secretsInHeaders(headers, this.#options)])];
    if (secrets.length === 0) {
      return { payload: redacted.payload, secrets: { mapText: undefined, release: () => undefined } };
    }
    return {
      payload: redacted.payload,
      secrets: { mapText: secretScrubber(secrets).mapDocumentText, release: this.#log.add(secrets) },
    };
  }
}
