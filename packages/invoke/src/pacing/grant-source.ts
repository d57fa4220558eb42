import type { Pace } from './pace.ts';

/** Where a budget gets its permission to start calls from: evenly paced, one grant at a time. */
export interface GrantSource {
  /** What one grant permits, and for how long: what is not used within `intervalMs` is void. */
  readonly pace: Pace;
  /** Resolves when the next grant is due. Called again only after it has resolved; never rejects. */
  next(): Promise<void>;
  /** Frees what the source holds; a grant that is still waited for may then never come. */
  close(): void;
}
