import { parseJson, type SecretScrubber, secretScrubber, stringifyJson } from '@art/protocol';

interface Known {
  scrubber: SecretScrubber;
  /** Rollouts that are under way with this secret. */
  uses: number;
}

// A handler may still write lines after its rollout has ended.
const rememberedSecrets = 200;

/** Keeps the secrets of rollouts out of the log, wherever in a line they are. */
export class LogRedaction {
  readonly #known = new Map<string, Known>();
  #unused = 0;

  /**
   * From here on these secrets are taken out of every line.
   * @returns ends that; the secrets that were last in use are remembered a little longer
   */
  add(secrets: readonly string[]): () => void {
    for (const secret of secrets) {
      const known = this.#known.get(secret);
      if (known === undefined) {
        this.#known.set(secret, { scrubber: secretScrubber([secret]), uses: 1 });
      } else {
        if (known.uses === 0) this.#unused -= 1;
        known.uses += 1;
      }
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
    this.#unused += 1;
    // Behind those that were released before it.
    this.#known.delete(secret);
    this.#known.set(secret, known);
    if (this.#unused <= rememberedSecrets) return;
    for (const [oldest, { uses }] of this.#known) {
      if (uses > 0) continue;
      this.#known.delete(oldest);
      this.#unused -= 1;
      return;
    }
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
