import { randomLcg } from 'd3-random';
import type { EndpointSettings } from './endpoint-settings.ts';
import { listObjects } from './list-objects.ts';
import type { RequestCounts } from './request-counts.ts';
import type { RolloutLedger } from './rollout-ledger.ts';
import { storeError, type WireAnswer } from './wire-answer.ts';

const slowDown = storeError(503, 'SlowDown');

export interface StoreRequest {
  method: string;
  bucket: string;
  key: string;
  query: URLSearchParams;
}

export interface StoreReply {
  answer: WireAnswer;
  /** Latency of this kind of request, in milliseconds. */
  latencyMs: number;
  onAnswered?: () => void;
}

/** The part of S3 that rollout clients use: HeadObject, GetObject, ListObjectsV2. */
export class StorePlane {
  readonly #settings: EndpointSettings;
  readonly #ledger: RolloutLedger;
  readonly #counts: RequestCounts;
  readonly #nextLot: () => number;

  constructor(settings: EndpointSettings, ledger: RolloutLedger, counts: RequestCounts) {
    this.#settings = settings;
    this.#ledger = ledger;
    this.#counts = counts;
    this.#nextLot = randomLcg(settings.seed + 0xfa_17);
  }

  /** Looks at the store as the request arrives: what is stored during the latency is not seen. */
  reply(request: StoreRequest): StoreReply {
    const { latency, storeErrorShare = 0 } = this.#settings;
    const fails = storeErrorShare > 0 && this.#nextLot() < storeErrorShare;
    const { method, bucket, key, query } = request;
    if (fails) this.#counts.storeError += 1;
    if (method === 'HEAD') {
      this.#counts.head += 1;
      const answer = fails ? slowDown : { status: this.#ledger.keys.has(key) ? 200 : 404 };
      return { answer, latencyMs: latency.headMs };
    }
    if (method === 'GET' && key === '') {
      this.#counts.list += 1;
      const answer = fails ? slowDown : listObjects(this.#ledger.keys, bucket, query);
      return { answer, latencyMs: latency.listMs };
    }
    if (method === 'GET') return fails ? { answer: slowDown, latencyMs: latency.getMs } : this.#get(key);
    this.#counts.other += 1;
    return { answer: storeError(501, 'NotImplemented'), latencyMs: 0 };
  }

  #get(key: string): StoreReply {
    const latencyMs = this.#settings.latency.getMs;
    const found = this.#ledger.read(key);
    if (found === undefined) {
      this.#counts.getMissing += 1;
      return { answer: storeError(404, 'NoSuchKey'), latencyMs };
    }
    this.#counts.get += 1;
    return {
      answer: { status: 200, headers: { 'content-type': 'application/json' }, body: found.document },
      latencyMs,
      onAnswered: found.onAnswered,
    };
  }
}
