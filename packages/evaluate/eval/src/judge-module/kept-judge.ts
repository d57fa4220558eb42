import { createHash } from 'node:crypto';
import { isJsonObject, stringifyJson } from '@art/ground';
import { type KeyedRecord, KeptRecords } from '../kept/kept-records.ts';
import type { Judgement, JudgeContext, JudgedSample } from '../run/judge.ts';
import type { JudgeModule } from './judge-module.ts';

/** A file of kept judgements: one judgement, by everything that it rests on. */
interface KeptJudgement extends KeyedRecord {
  schema: 'art.judgement.v1';
  judge: string;
  given: Judgement;
  remarks: string[];
}

/**
 * A judge whose judgements are kept in a folder, by the text of its module and of what that imports, the variables of the environment that it names, and
 * the sample: task, number, document and conversation. Times, session ids and token ids are no part of it. The samples of a task are judged each
 * for itself, however much they agree: their judgements stay independent. Any number of processes may share the folder.
 */
export class KeptJudge implements AsyncDisposable {
  readonly name: string;
  readonly #judge: JudgeModule;
  readonly #records: KeptRecords<KeptJudgement>;
  #hits = 0;
  #misses = 0;

  private constructor(judge: JudgeModule, records: KeptRecords<KeptJudgement>) {
    this.name = judge.name;
    this.#judge = judge;
    this.#records = records;
  }

  /** @throws ArtError `ART_INVALID_OPTION` where the folder cannot be written */
  static async open(judge: JudgeModule, folder: string): Promise<KeptJudge> {
    return new KeptJudge(judge, await KeptRecords.open(folder, 'art.judgement.v1'));
  }

  /** Judgements that were kept ones, and that were made. */
  get counts(): { hits: number; misses: number } {
    return { hits: this.#hits, misses: this.#misses };
  }

  /** @throws what the judge throws, which is not kept */
  async compute(sample: JudgedSample, context: JudgeContext = {}): Promise<Judgement> {
    context.signal?.throwIfAborted();
    const key = this.#keyOf(sample);
    const kept = await this.#records.read(key);
    if (kept !== undefined && isJudgement(kept.given) && Array.isArray(kept.remarks)) {
      this.#hits += 1;
      for (const remark of kept.remarks) context.remark?.(remark);
      context.onKept?.();
      return kept.given;
    }
    this.#misses += 1;
    const remarks: string[] = [];
    const remark = (text: string): void => {
      remarks.push(text);
      context.remark?.(text);
    };
    const given = await this.#judge.compute(sample, { ...context, remark });
    if (isJudgement(given)) await this.#records.write({ key, judge: this.name, given, remarks });
    return given;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#judge[Symbol.asyncDispose]();
  }

  #keyOf({ task, sample, document, transcript }: JudgedSample): string {
    const { messages, calls } = transcript;
    // The agent's copy of the request is in a document that comes fresh, and not in one on record.
    const { payload: _, ...returned } = document;
    const variables = this.#judge.variables.map((name) => [name, process.env[name] ?? null]);
    const said = calls.map(({ model, label, wire, finishReason, prompt, answer, tools }) => ({
      model,
      label,
      wire,
      finishReason,
      prompt,
      answer,
      tools,
    }));
    const content = {
      judge: this.name,
      variables,
      task: { ...task, expected: task.expected ?? null },
      sample,
      document: returned,
      messages,
      calls: said,
    };
    const text = stringifyJson(content, { onNonFinite: () => undefined });
    return createHash('sha256').update(text).digest('hex');
  }
}

/** True for what counts: of anything else the judge has to be asked again. */
function isJudgement(given: unknown): given is Judgement {
  const reward: unknown = isJsonObject(given) ? given['reward'] : given;
  return Array.isArray(reward)
    ? reward.length > 0 && reward.every((value) => Number.isFinite(value))
    : Number.isFinite(reward);
}
