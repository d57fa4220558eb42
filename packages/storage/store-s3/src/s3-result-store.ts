import { callWithin, type Clock, freshId, growingPauseMs, pause, systemClock } from '@art/ground';
import type { CallOptions } from '@art/protocol';
import {
  checkBody,
  StoreError,
  type ListPage,
  type ListRange,
  type PutOptions,
  type PutOutcome,
  type ResultLocation,
  type ResultStore,
  type WatchRange,
} from '@art/store';
import {
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { checkS3ListRange, checkS3Location } from './check-s3-input.ts';
import { S3Clients } from './s3-clients.ts';
import {
  checkS3ResultStoreOptions,
  type S3ResultStoreOptions,
  type S3StoreWarning,
} from './s3-result-store-options.ts';
import { isDeniedKey, s3StoreError, type S3Operation } from './s3-store-error.ts';
import { readServiceFailure } from './service-failure/s3-service-failure.ts';

/** Object metadata by which a writer knows its own object again; see `#whoseObject`. */
const writeIdMetadata = 'art-write-id';
/**
 * How often a conditional put that met another one (409 ConditionalRequestConflict) is sent in all. The SDK does not
 * repeat it; S3 asks its callers to: https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-writes.html
 */
const conflictAttempts = 8;
const conflictPauses = { firstMs: 25, longestMs: 1_000, jitter: 0.5 };

type SdkCall<T> = (client: S3Client, options: { abortSignal?: AbortSignal }) => Promise<T>;

/** Keeps results in Amazon S3, or in anything that speaks its protocol. Buckets must exist. */
export class S3ResultStore implements ResultStore {
  readonly #clients: S3Clients;
  readonly #clock: Clock;
  readonly #onWarning: (warning: S3StoreWarning) => void;
  readonly #kmsKeyId: string | undefined;
  /** Buckets that a GET has been sent to after a HEAD in vain, and what it found. */
  readonly #checkedBuckets = new Map<string, 'reachable' | 'no-list-permission'>();

  /**
   * Makes no client and opens no connection; that happens at the first call.
   * @param clock times the waits between conflicting writes
   * @throws ArtError `ART_INVALID_OPTION`
   */
  constructor(options: S3ResultStoreOptions = {}, clock: Clock = systemClock) {
    checkS3ResultStoreOptions(options);
    this.#clients = new S3Clients(options);
    this.#clock = clock;
    this.#kmsKeyId = options.kmsKeyId;
    this.#onWarning = options.onWarning ?? emitProcessWarning;
  }

  /**
   * PutObject; `ifAbsent` is `If-None-Match: *`, decided by S3.
   * @throws StoreError `ART_STORE_DENIED`, `ART_STORE_NO_BUCKET`, `ART_STORE_NO_CREDENTIALS`, `ART_STORE_BUSY`,
   * `ART_STORE_FAILED`
   */
  async put(at: ResultLocation, body: string, options: PutOptions = {}): Promise<PutOutcome> {
    checkS3Location('put', at);
    checkBody(at, body);
    const { signal, ifAbsent = false } = options;
    const writeId = freshId();
    const command = new PutObjectCommand({
      ...s3Address(at),
      // Bytes and not the text: the SDK takes an empty string for a stream of unknown length.
      Body: Buffer.from(body),
      ContentType: 'application/json',
      ...(this.#kmsKeyId !== undefined && { ServerSideEncryption: 'aws:kms', SSEKMSKeyId: this.#kmsKeyId }),
      ...(ifAbsent && { IfNoneMatch: '*', Metadata: { [writeIdMetadata]: writeId } }),
    });
    for (let attempt = 1; ; attempt += 1) {
      try {
        await this.#send('put', at, signal, (client, callOptions) => client.send(command, callOptions));
        return { kind: 'stored' };
      } catch (error) {
        const failure = readServiceFailure(error);
        if (ifAbsent && failure.httpStatus === 412) {
          return failure.attempts > 1 ? await this.#whoseObject(at, writeId, signal) : { kind: 'exists' };
        }
        const isConflict = failure.httpStatus === 409 && failure.name === 'ConditionalRequestConflict';
        if (!isConflict || attempt === conflictAttempts) throw failureOf('put', at, error, signal);
      }
      await pause(growingPauseMs(attempt, conflictPauses), { signal, clock: this.#clock });
    }
  }

  /** GetObject. A 403 counts as not there, with one warning: that is what S3 answers without `s3:ListBucket`. */
  async get(at: ResultLocation, options: CallOptions = {}): Promise<string | undefined> {
    checkS3Location('get', at);
    try {
      return await this.#send('get', at, options.signal, async (client, callOptions) => {
        const { Body } = await client.send(new GetObjectCommand(s3Address(at)), callOptions);
        return (await Body?.transformToString('utf-8')) ?? '';
      });
    } catch (error) {
      return this.#notThere('get', at, error, options.signal);
    }
  }

  /** HeadObject, whose failures have no reason in them: after the first one for a bucket a GET asks for it. */
  async exists(at: ResultLocation, options: CallOptions = {}): Promise<boolean> {
    checkS3Location('exists', at);
    const { signal } = options;
    try {
      await this.#send('exists', at, signal, (client, callOptions) =>
        client.send(new HeadObjectCommand(s3Address(at)), callOptions),
      );
      return true;
    } catch (error) {
      const { httpStatus } = readServiceFailure(error);
      const known = this.#checkedBuckets.get(at.bucket);
      if (httpStatus === 404 && known !== undefined) return false;
      if (httpStatus === 403 && known === 'no-list-permission') return false;
      if (httpStatus !== 404 && httpStatus !== 403) throw failureOf('exists', at, error, signal);
    }
    return this.#existsByGet(at, signal);
  }

  /** ListObjectsV2; one request a page. */
  async list(range: ListRange, options: CallOptions = {}): Promise<ListPage> {
    const { limit } = checkS3ListRange(range);
    const { bucket, prefix, startAfter } = range;
    const at = { bucket, key: prefix };
    const command = new ListObjectsV2Command({
      Bucket: bucket,
      MaxKeys: limit,
      ...(prefix !== '' && { Prefix: prefix }),
      ...(startAfter !== undefined && startAfter !== '' && { StartAfter: startAfter }),
    });
    try {
      const page = await this.#send('list', at, options.signal, (client, callOptions) =>
        client.send(command, callOptions),
      );
      const keys = (page.Contents ?? []).flatMap(({ Key }) => (Key === undefined ? [] : [Key]));
      return { keys, truncated: page.IsTruncated === true };
    } catch (error) {
      throw failureOf('list', at, error, options.signal);
    }
  }

  /**
   * One ListObjectsV2 of a single key; without the right to list, one GetObject. S3 answers that with 403 for every key
   * that is missing, and then only its words tell which right is not there.
   */
  async check(range: WatchRange, options: CallOptions = {}): Promise<void> {
    // Source: S3 user guide, "Differences for directory buckets".
    if (range.bucket.endsWith('--x-s3'))
      this.#onWarning({
        kind: 'directory-bucket',
        bucket: range.bucket,
        message: `${range.bucket} is a directory bucket (S3 Express One Zone). Its lists have no order, so each result is asked for alone, which costs more requests. A general purpose bucket needs one list for up to 1,000 results.`,
      });
    try {
      await this.list({ ...range, limit: 1 }, options);
      return;
    } catch (error) {
      options.signal?.throwIfAborted();
      if (!StoreError.isInstance(error) || error.code !== 'ART_STORE_DENIED') throw error;
    }
    const at = { bucket: range.bucket, key: `${range.prefix}.art-check` };
    try {
      await this.#send('get', at, options.signal, async (client, callOptions) => {
        const { Body } = await client.send(new GetObjectCommand(s3Address(at)), callOptions);
        await Body?.transformToByteArray();
      });
    } catch (error) {
      const failure = readServiceFailure(error);
      const mayRead = failure.message.includes('s3:ListBucket') && !failure.message.includes('s3:GetObject');
      if (failure.httpStatus === 404 && failure.name !== 'NoSuchBucket') return;
      if (!isDeniedKey(failure) || !mayRead) throw failureOf('get', at, error, options.signal);
    }
  }

  /**
   * Closes the connections of a client that the store made; one that was given to it is its owner's to destroy.
   * Calls after that are refused. Idempotent.
   */
  async close(): Promise<void> {
    this.#clients.close();
  }

  async #send<T>(
    operation: S3Operation,
    at: ResultLocation,
    signal: AbortSignal | undefined,
    call: SdkCall<T>,
  ): Promise<T> {
    const client = this.#clientFor(operation, at);
    const callWith = (client: S3Client): Promise<T> =>
      callWithin((abortSignal) => call(client, { abortSignal }), { signal });
    try {
      return await callWith(client);
    } catch (error) {
      const { bucketRegion } = readServiceFailure(error);
      if (bucketRegion === undefined) throw error;
      this.#clients.learnRegion(at.bucket, bucketRegion);
      const regional = this.#clientFor(operation, at);
      // Once: when the client of the region that S3 named is told so again, S3 contradicts itself.
      if (regional === client) throw error;
      return callWith(regional);
    }
  }

  #clientFor(operation: S3Operation, at: ResultLocation): S3Client {
    const client = this.#clients.of(at.bucket);
    if (client !== undefined) return client;
    throw new StoreError({ operation, ...at, message: 'The store is closed. Make another one.' });
  }

  /**
   * Decides a 412 that came after the SDK had sent a request again: an earlier attempt of ours, whose answer was lost, may
   * be what is there. The object's metadata tells. Where it cannot be read the answer is `exists`, as if another had won.
   */
  async #whoseObject(
    at: ResultLocation,
    writeId: string,
    signal: AbortSignal | undefined,
  ): Promise<PutOutcome> {
    try {
      const { Metadata } = await this.#send('exists', at, signal, (client, callOptions) =>
        client.send(new HeadObjectCommand(s3Address(at)), callOptions),
      );
      return { kind: Metadata?.[writeIdMetadata] === writeId ? 'stored' : 'exists' };
    } catch {
      signal?.throwIfAborted();
      return { kind: 'exists' };
    }
  }

  async #existsByGet(at: ResultLocation, signal: AbortSignal | undefined): Promise<boolean> {
    try {
      await this.#send('exists', at, signal, async (client, callOptions) => {
        const { Body } = await client.send(
          // One byte is enough should the object have appeared in between.
          new GetObjectCommand({ ...s3Address(at), Range: 'bytes=0-0' }),
          callOptions,
        );
        await Body?.transformToByteArray();
      });
      return true;
    } catch (error) {
      // 416: an object without a single byte.
      if (readServiceFailure(error).httpStatus === 416) return true;
      this.#notThere('exists', at, error, signal);
      return false;
    }
  }

  /** Answers undefined where a failed GET or HEAD means that nothing is there; throws otherwise. */
  #notThere(
    operation: S3Operation,
    at: ResultLocation,
    error: unknown,
    signal: AbortSignal | undefined,
  ): undefined {
    const failure = readServiceFailure(error);
    if (failure.httpStatus === 404 && failure.name !== 'NoSuchBucket') {
      if (!this.#checkedBuckets.has(at.bucket)) this.#checkedBuckets.set(at.bucket, 'reachable');
      return undefined;
    }
    if (!isDeniedKey(failure)) throw failureOf(operation, at, error, signal);
    if (this.#checkedBuckets.get(at.bucket) !== 'no-list-permission') {
      this.#checkedBuckets.set(at.bucket, 'no-list-permission');
      this.#onWarning({
        kind: 'missing-list-permission',
        bucket: at.bucket,
        message: `S3 answered 403 for ${JSON.stringify(at.key)} in bucket ${JSON.stringify(at.bucket)}; it counts as not there. Without s3:ListBucket S3 does so for every key that is missing: allow s3:ListBucket on the bucket. If results never arrive, s3:GetObject on its keys is missing too.`,
      });
    }
    return undefined;
  }
}

function s3Address(at: ResultLocation): { Bucket: string; Key: string } {
  return { Bucket: at.bucket, Key: at.key };
}

function failureOf(
  operation: S3Operation,
  at: ResultLocation,
  error: unknown,
  signal: AbortSignal | undefined,
): unknown {
  return signal?.aborted === true ? signal.reason : s3StoreError(operation, at, error);
}

function emitProcessWarning(warning: S3StoreWarning): void {
  process.emitWarning(warning.message, { type: 'ArtStoreWarning', code: warning.kind });
}
