import type { JournalChoice } from '@art/journal';
import type { BatchItem } from '../batch/batch-item.ts';
import {
  checkBatchOptions,
  type BatchOptions,
  type Payload,
  type PayloadSource,
} from '../batch/batch-options.ts';
import { BatchRun } from '../batch/batch-run.ts';
import type { RolloutStart } from '../batch/payload-run.ts';
import type { Group } from '../groups/group.ts';
import { checkGroupOptions, type GroupOptions, type InputSource } from '../groups/group-options.ts';
import { GroupRun } from '../groups/group-run.ts';
import type { Rollout } from '../lifecycle/rollout.ts';
import { openRun, reopenRun, type OpenRunParts, type RunMaker } from '../recording/open-run.ts';
import type { Run } from '../recording/run.ts';
import { generatedInputId, type RolloutIds } from '../rollout-ids.ts';

/** What runs of a client are made with. */
export interface RunsParts extends OpenRunParts {
  warn: (message: string) => void;
  ids: RolloutIds;
  /** @throws ArtError when the payload cannot be sent. */
  start: (start: RolloutStart, inputIdPrefix: string) => Rollout;
  dropCapture: (sessionId: string) => void;
}

/** Makes the runs of a client, new ones and those that an earlier process began. */
export class Runs {
  readonly #parts: RunsParts;

  constructor(parts: RunsParts) {
    this.#parts = parts;
  }

  batch<P extends Payload>(payloads: PayloadSource<P>, options: BatchOptions<P>): Promise<Run<BatchItem>> {
    return openRun(this.#batches<P>(), payloads, options, this.#newPrefix(), this.#parts);
  }

  resumedBatch<P extends Payload>(
    journal: JournalChoice,
    payloads: PayloadSource<P>,
    options: Partial<BatchOptions<P>>,
  ): Promise<Run<BatchItem>> {
    const check = (whole: BatchOptions<P>): void => checkBatchOptions(payloads, { ...whole, journal });
    return reopenRun(this.#batches<P>(), journal, payloads, options, check, this.#parts);
  }

  groups<Input extends object>(
    inputs: InputSource<Input>,
    options: GroupOptions<Input>,
  ): Promise<Run<Group<Input>>> {
    return openRun(this.#groups<Input>(), inputs, options, this.#newPrefix(), this.#parts);
  }

  resumedGroups<Input extends object>(
    journal: JournalChoice,
    inputs: InputSource<Input>,
    options: Partial<GroupOptions<Input>>,
  ): Promise<Run<Group<Input>>> {
    const check = (whole: GroupOptions<Input>): void => checkGroupOptions(inputs, { ...whole, journal });
    return reopenRun(this.#groups<Input>(), journal, inputs, options, check, this.#parts);
  }

  #batches<P extends Payload>(): RunMaker<P, BatchOptions<P>, BatchItem> {
    return {
      kind: 'batch',
      make: (source, options, inputIdPrefix, record) => {
        const start = (start: RolloutStart): Rollout => this.#parts.start(start, inputIdPrefix);
        return new BatchRun(source, options, {
          ...this.#parts,
          start,
          record,
          keepsBack: record !== undefined,
        });
      },
    };
  }

  #groups<Input extends object>(): RunMaker<Input, GroupOptions<Input>, Group<Input>> {
    return {
      kind: 'groups',
      make: (source, options, inputIdPrefix, record) =>
        new GroupRun(source, options, {
          ...this.#parts,
          generateInputId: (index) => generatedInputId(inputIdPrefix, index),
          start: (start) => this.#parts.start(start, inputIdPrefix),
          record,
        }),
    };
  }

  #newPrefix(): string {
    const { ids, clock } = this.#parts;
    return ids.batchId(clock.epochMs());
  }
}
