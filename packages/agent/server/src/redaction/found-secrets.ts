/** Shortest text that is looked for elsewhere: anything shorter occurs by chance. */
const minSecretLength = 6;

// Under the name of a secret, and no secret.
const commonWords = new Set(
  'bearer default disabled enabled required optional anonymous undefined no-auth not-needed dummy-key'.split(
    ' ',
  ),
);

/** Collects the values that were redacted, and the parts of them that may show up on their own. */
export class FoundSecrets {
  readonly #values = new Set<string>();

  #isEmpty = true;

  /** True if no secret was noted, not even one that is too short to search for. */
  get isEmpty(): boolean {
    return this.#isEmpty;
  }

  get values(): string[] {
    return [...this.#values];
  }

  /** Notes a value that stands under the name of a secret. */
  add(value: string): void {
    this.#note(value);
    // An error message shows the key, not the header: "Bearer sk-..." is also the secret "sk-...".
    const scheme = /^\s*(bearer|basic|token|apikey|key|digest|negotiate)\s+(\S.*)$/is.exec(value);
    if (scheme !== null) {
      this.#note(scheme[2]!);
      if (/^basic$/i.test(scheme[1]!)) this.addUserInfo(Buffer.from(scheme[2]!, 'base64').toString('utf8'));
    }
    for (const pair of value.split(/;\s*/)) {
      const cookie = /^[^=\s]+=(.+)$/s.exec(pair);
      if (cookie !== null) this.#note(cookie[1]!);
    }
    // Of a key in many lines, a log or a stack trace may show single ones.
    if (value.includes('\n')) {
      for (const line of value.split(/\r?\n/)) {
        if (line.length >= 16 && !line.startsWith('-----')) this.#note(line);
      }
    }
  }

  /** Notes `user:password` or a lone token, as it stands in a URL before the `@`. */
  addUserInfo(userInfo: string): void {
    const decoded = decode(userInfo);
    for (const text of new Set([userInfo, decoded])) {
      this.#note(text);
      const colon = text.indexOf(':');
      if (colon === -1) continue;
      const [user, password] = [text.slice(0, colon), text.slice(colon + 1)];
      this.#note(password);
      // Some services take the token as the name; a plain name must not be erased from every text.
      if (/\d/.test(user) && user.length >= 16) this.#note(user);
    }
    if (decoded.includes(':')) this.#note(Buffer.from(decoded).toString('base64'));
  }

  /** Notes the value of a query parameter. */
  addParameter(value: string): void {
    this.#note(value);
    this.#note(decode(value));
  }

  /** @param layers how many pairs of quotes around the text are taken off */
  #note(text: string, layers = 3): void {
    this.#isEmpty = false;
    const trimmed = text.trim();
    const [first = ''] = trimmed;
    if (layers > 0 && trimmed.length > 1 && '"\'`'.includes(first) && trimmed.endsWith(first))
      this.#note(trimmed.slice(1, -1), layers - 1);
    if (trimmed.length < minSecretLength || commonWords.has(trimmed.toLowerCase())) return;
    this.#values.add(trimmed);
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
