import { createHash } from 'node:crypto';
import type { LiveSession } from '../../sessions/live-session.ts';
import type { WeightVersion } from '../../sessions/weight-version.ts';
import type { AnswerStore } from '../../engines/answer-store.ts';
import type { AdmittedCall } from './call.ts';
import { KeptPlace } from './kept-place.ts';

/** Headers that decide what an API answers. */
const deciding = ['anthropic-version', 'anthropic-beta', 'openai-beta'];

/**
 * Answers of engines to the calls of rollouts. A key names all that an answer rests on but the engine: the announced weights, the request as the engine gets
 * it, the rollout's group, which in an evaluation is the task with the number of the sample, and how often the session has asked this before. So no two
 * samples of a task share an answer.
 */
export class KeptAnswers {
  readonly #store: AnswerStore;
  readonly #weights: WeightVersion;
  readonly #asked = new WeakMap<LiveSession, Map<string, number>>();
  /** A call that is sent again is not asked again. */
  readonly #numbers = new WeakMap<AdmittedCall, { digest: string; number: number }>();

  constructor(store: AnswerStore, weights: WeightVersion) {
    this.#store = store;
    this.#weights = weights;
  }

  /** The place of a call; undefined for one that belongs to no rollout. */
  async placeOf(
    call: AdmittedCall,
    { path, body }: { path: unknown; body: Uint8Array | undefined },
  ): Promise<KeptPlace | undefined> {
    const { session, headers } = call;
    const group = session?.init.groupId;
    if (session === undefined || group == null || body === undefined) return undefined;
    const told = deciding.map((name) => headers[name] ?? null);
    const asked = [path, this.#weights.current ?? null, told, group];
    const digest = createHash('sha256').update(JSON.stringify(asked)).update(body).digest('hex');
    const number = this.#numberOf(call, session, digest);
    const key = createHash('sha256').update(`${digest} ${number}`).digest('hex');
    return new KeptPlace(await this.#store.read(key), (answer) => this.#store.write(key, answer));
  }

  #numberOf(call: AdmittedCall, session: LiveSession, digest: string): number {
    const known = this.#numbers.get(call);
    if (known?.digest === digest) return known.number;
    const asked = this.#asked.get(session) ?? new Map<string, number>();
    const number = asked.get(digest) ?? 0;
    this.#asked.set(session, asked.set(digest, number + 1));
    this.#numbers.set(call, { digest, number });
    return number;
  }
}
