import type { HealthFinding, HealthLevel } from './health-check-result.ts';
import type { HealthPlace } from './health-place.ts';

const mostPlaces = 3;

/** How often something was so, of how often it could have been, and where. */
export class Tally {
  seen = 0;
  hits = 0;
  readonly #places: HealthPlace[] = [];
  readonly #rollouts = new Set<string>();

  see(isHit: boolean, place: HealthPlace): void {
    this.seen += 1;
    if (!isHit) return;
    this.hits += 1;
    this.#rollouts.add(place.id);
    if (this.#places.length < mostPlaces) this.#places.push(place);
  }

  get share(): number {
    return this.seen === 0 ? 0 : this.hits / this.seen;
  }

  /** Hits as a share, for sentences: `3 of 20 answers (15 %)`. */
  of(noun: string): string {
    const percent = this.share * 100;
    return `${this.hits} of ${this.seen} ${noun} (${percent > 0 && percent < 1 ? '< 1' : percent.toFixed(0)} %)`;
  }

  finding(level: HealthLevel, message: string, nextStep: string): HealthFinding {
    return { state: 'finding', level, message, nextStep, places: this.#places, rollouts: this.#rollouts };
  }
}
