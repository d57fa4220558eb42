import type { Clock } from '@art/ground';
import type { ObjectAddress } from '../../s3/backend/object-backend.ts';

/** Objects that are stored and, for a while, not shown. */
export class HiddenKeys {
  readonly #clock: Clock;
  readonly #untilMs = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get isEmpty(): boolean {
    return this.#untilMs.size === 0;
  }

  /** Hides an object for a time, which begins anew where it is hidden already. */
  hide(at: ObjectAddress, forMs: number): void {
    this.#forgetPast();
    this.#untilMs.set(nameOf(at), this.#clock.nowMs() + forMs);
  }

  show(at: ObjectAddress): void {
    this.#untilMs.delete(nameOf(at));
  }

  clear(): void {
    this.#untilMs.clear();
  }

  has(at: ObjectAddress): boolean {
    if (this.isEmpty) return false;
    return (this.#untilMs.get(nameOf(at)) ?? 0) > this.#clock.nowMs();
  }

  #forgetPast(): void {
    const nowMs = this.#clock.nowMs();
    for (const [name, untilMs] of this.#untilMs) if (untilMs <= nowMs) this.#untilMs.delete(name);
  }
}

function nameOf({ bucket, key }: ObjectAddress): string {
  // No bucket has a slash in its name.
  return `${bucket}/${key}`;
}
