/** Fact of a session's record: ARNs, a space between each two. */
const factName = 'temporaryPackages';

// Calls that are on their way may still name the versions before the newest.
const mostKept = 4;

export interface TemporaryPackagesDeps {
  remove: (arn: string) => Promise<void>;
  /** Writes down what a later process has to delete. */
  note: (facts: Readonly<Record<string, string>>) => Promise<void>;
  onNotice: (message: string) => void;
}

/**
 * Model packages of versions that no checkpoint names: saved so that the next rollouts can be sampled. SageMaker keeps every one of them until
 * it is deleted. They are written down, so that the next process deletes what a killed one left.
 */
export class TemporaryPackages {
  readonly #deps: TemporaryPackagesDeps;
  readonly #arns: string[];
  #last: Promise<void> = Promise.resolve();

  /** @param place of a session's record */
  constructor(deps: TemporaryPackagesDeps, place: Readonly<Record<string, string>> = {}) {
    this.#deps = deps;
    this.#arns = place[factName]?.split(' ').filter((arn) => arn !== '') ?? [];
  }

  /** One more; older ones are deleted beside what continues. Resolves when no crash loses it. */
  async saved(arn: string): Promise<void> {
    this.#arns.push(arn);
    await this.#deps.note({ [factName]: this.#arns.join(' ') });
    void this.#deleteTo(mostKept);
  }

  /** Nobody samples them any more. Never rejects: what could not be deleted is told. */
  deleteAll(): Promise<void> {
    return this.#deleteTo(0);
  }

  #deleteTo(most: number): Promise<void> {
    this.#last = this.#last.then(async () => {
      while (this.#arns.length > most) {
        const arn = this.#arns.shift()!;
        await this.#deps.remove(arn).catch((error: unknown) => {
          this.#deps.onNotice(
            `The model package ${arn}, which is no longer needed, stays: ${(error as Error).message}`,
          );
        });
      }
    });
    return this.#last;
  }
}
