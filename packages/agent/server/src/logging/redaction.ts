import type { IncomingHttpHeaders } from 'node:http';
import { parseJson, type RedactionOptions, stringifyJson } from '@art/ground';
import { redactRolloutSecrets, secretsInHeaders } from '../redaction/redact-rollout-secrets.ts';
import { type SecretScrubber, secretScrubber } from '../redaction/secret-scrubber.ts';

/** The secrets of one rollout. */
export interface RolloutSecrets {
  /** Takes them out of whatever is stored. Undefined where there are none. */
  scrubber: SecretScrubber | undefined;
  /** Lets the log forget them. */
  release: () => void;
}

interface Known {
  scrubber: SecretScrubber;
  /** Rollouts that are under way with this secret. */
  uses: number;
}

// A handler may still write lines after its rollout has ended.
const rememberedSecrets = 200;

/** Finds the secrets of rollouts, and keeps them out of the log, wherever in a line they are. */
export class Redaction {
  readonly #options: RedactionOptions;
  /** Known secrets. Those that no rollout uses any more are in the order of their release. */
  readonly #known = new Map<string, Known>();

  constructor(options: RedactionOptions = {}) {
    this.#options = options;
  }

  /**
   * The payload without the secrets of its configs. They, and those of the headers, are kept out of the log from here on; what
   * is stored has to go through their scrubber.
   */
  redact(
    payload: Record<string, unknown>,
    { headers, sessionId }: { headers: IncomingHttpHeaders; sessionId: string },
  ): { payload: Record<string, unknown>; secrets: RolloutSecrets } {
    const redacted = redactRolloutSecrets(payload, this.#options);
    const found = new Set([...redacted.secrets, ...secretsInHeaders(headers, this.#options)]);
    // Trainers name their gateway's trajectories by the session, so the key is an id that every line of the log has.
    found.delete(sessionId);
    const scrubber = found.size === 0 ? undefined : secretScrubber(found);
    return { payload: redacted.payload, secrets: { scrubber, release: this.add([...found]) } };
  }

  /**
   * From here on these secrets are taken out of every line.
   * @returns ends that; the secrets that were last in use are remembered a little longer
   */
  add(secrets: readonly string[]): () => void {
    for (const secret of secrets) {
      const known = this.#known.get(secret) ?? { scrubber: secretScrubber([secret]), uses: 0 };
      known.uses += 1;
      this.#known.set(secret, known);
    }
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      for (const secret of secrets) this.#release(secret);
    };
  }

  /** A line of the log without secrets; itself where it has none. */
  redactLine(line: string): string {
    if (this.#known.size === 0) return line;
    const hits: string[] = [];
    for (const [secret, { scrubber }] of this.#known) if (scrubber.finds(line)) hits.push(secret);
    return hits.length === 0 ? line : scrubLine(line, secretScrubber(hits));
  }

  #release(secret: string): void {
    const known = this.#known.get(secret)!;
    known.uses -= 1;
    if (known.uses > 0) return;
    // Behind those that were released before it.
    this.#known.delete(secret);
    this.#known.set(secret, known);
    const unused = [...this.#known].filter(([, { uses }]) => uses === 0);
    if (unused.length > rememberedSecrets) this.#known.delete(unused[0]![0]);
  }
}

function scrubLine(line: string, { scrubText }: SecretScrubber): string {
  try {
    // Replacing in the text of a line could cut an escape in two; its values are safe.
    const scrubbed = stringifyJson(parseJson(line), {
      mapText: (text, { kind, path }) => (kind === 'name' && path.length === 1 ? text : scrubText(text)),
    });
    return `${scrubbed}\n`;
  } catch {
    // A formatter of the user's own may write something that is no JSON.
    return scrubText(line);
  }
}
