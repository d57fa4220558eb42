import { createHash } from 'node:crypto';
import type { AnswerStore, KeptAnswer } from '@art/gateway';
import { type KeyedRecord, KeptRecords } from '../kept/kept-records.ts';

interface AnswerRecord extends KeyedRecord {
  schema: 'art.answer.v1';
  headers: KeptAnswer['headers'];
  /** JSON, or a stream of events. */
  body: string;
}

/** Answers of one endpoint in a folder, in which those of others may stand, too. */
export class AnswerFolder implements AnswerStore {
  readonly #records: KeptRecords<AnswerRecord>;
  readonly #endpoint: string;

  private constructor(records: KeptRecords<AnswerRecord>, endpoint: string) {
    this.#records = records;
    this.#endpoint = endpoint;
  }

  /**
   * @param endpoint names it: its address, or its script
   * @throws ArtError `ART_INVALID_OPTION` where the folder cannot be written
   */
  static async open(folder: string, endpoint: string): Promise<AnswerFolder> {
    return new AnswerFolder(await KeptRecords.open(folder, 'art.answer.v1'), endpoint);
  }

  async read(call: string): Promise<KeptAnswer | undefined> {
    const kept = await this.#records.read(this.#keyOf(call));
    return kept && { headers: kept.headers, body: Buffer.from(kept.body) };
  }

  async write(call: string, { headers, body }: KeptAnswer): Promise<void> {
    const text = Buffer.from(body).toString();
    // What is no UTF-8 would come back as something else.
    if (Buffer.from(text).equals(body))
      await this.#records.write({ key: this.#keyOf(call), headers, body: text });
  }

  #keyOf(call: string): string {
    return createHash('sha256').update(`${call} ${this.#endpoint}`).digest('hex');
  }
}
