import { existsSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { StateRef, WeightsRef } from '@art/train/steps';

const account = '123456789012';

/** Versions of model packages, on the disk: they outlive the process, as those of SageMaker outlive a session. */
export class PackageShelf {
  readonly #root: string;
  readonly #region: string;
  readonly #newest = new Map<string, number>();

  constructor(root: string, region: string) {
    this.#root = root;
    this.#region = region;
  }

  /** The folder of a group, where sessions save. */
  folder(group: string): string {
    return join(this.#root, group);
  }

  /** The next version's number. */
  next(group: string): number {
    const version = (this.#newest.get(group) ?? this.#onDisk(group)) + 1;
    this.#newest.set(group, version);
    return version;
  }

  arn(group: string, version: number): string {
    return `arn:aws:sagemaker:${this.#region}:${account}:model-package/${group}/${version}`;
  }

  sessionArn(name: string): string {
    return `arn:aws:sagemaker:${this.#region}:${account}:training-session/${name}`;
  }

  /** Undefined where there is no such version, or it is no weights. */
  weights(arn: string): WeightsRef | undefined {
    const weights = this.#path(arn, 'weights', '');
    return existsSync(join(weights, 'model.safetensors')) ? { weights } : undefined;
  }

  /** Undefined where there is no such version, or it is no state. */
  state(arn: string): StateRef | undefined {
    const state = this.#path(arn, 'states', '.safetensors');
    return existsSync(state) ? { state } : undefined;
  }

  /** ARNs of all versions, weights and states, in order. */
  all(): string[] {
    if (!existsSync(this.#root)) return [];
    return readdirSync(this.#root).flatMap((group) =>
      this.#versions(group)
        .toSorted((one, other) => one - other)
        .map((version) => this.arn(group, version)),
    );
  }

  /** @returns false where there is no such version */
  async delete(arn: string): Promise<boolean> {
    if (this.weights(arn) === undefined && this.state(arn) === undefined) return false;
    await rm(this.#path(arn, 'weights', ''), { recursive: true, force: true });
    await rm(this.#path(arn, 'states', '.safetensors'), { force: true });
    return true;
  }

  #path(arn: string, kind: string, extension: string): string {
    const [, group = '', version = ''] = /:model-package\/([^/]+)\/(\d+)$/.exec(arn) ?? [];
    return join(this.folder(group), kind, version + extension);
  }

  #onDisk(group: string): number {
    return Math.max(0, ...this.#versions(group));
  }

  #versions(group: string): number[] {
    const versions = ['weights', 'states'].flatMap((kind) => {
      const folder = join(this.folder(group), kind);
      return existsSync(folder) ? readdirSync(folder).map((name) => Number.parseInt(name, 10)) : [];
    });
    return versions.filter(Number.isFinite);
  }
}
