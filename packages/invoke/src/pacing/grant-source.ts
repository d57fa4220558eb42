/** Where a lane gets its permission to send from: evenly paced, one grant at a time. */
export interface GrantSource {
  /** Resolves when the next grant is due. Called again only after it has resolved; never rejects. */
  next(): Promise<void>;
  /** Frees what the source holds; a grant that is still waited for may then never come. */
  close(): void;
}
