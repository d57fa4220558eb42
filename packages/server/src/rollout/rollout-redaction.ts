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
  /** Takes them out of any other text. */
  scrubText: ((text: string) => string) | undefined;
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

  /**
   * The payload without the secrets of its configs. They, and those of the headers, are kept out of the log from here on; what
   * is stored has to go through `secrets`.
   */
  redact(
    payload: Record<string, unknown>,
    { headers, sessionId }: { headers: IncomingHttpHeaders; sessionId: string },
  ): { payload: Record<string, unknown>; secrets: RolloutSecrets } {
    const redacted = redactRolloutSecrets(payload, this.#options);
    const found = new Set([...redacted.secrets, ...secretsInHeaders(headers, this.#options)]);
    // Trainers name their gateway's trajectories by the session, so the key is an id that every line of the log has.
    found.delete(sessionId);
    if (found.size === 0) {
      const secrets = { mapText: undefined, scrubText: undefined, release: () => undefined };
      return { payload: redacted.payload, secrets };
    }
    const secrets = [...found];
    const { mapDocumentText: mapText, scrubText } = secretScrubber(secrets);
    return { payload: redacted.payload, secrets: { mapText, scrubText, release: this.#log.add(secrets) } };
  }
}
