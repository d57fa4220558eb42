import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { GatewayClient } from '@art/gateway-client';
import { makeDirectory } from '@art/ground';
import { replaceFile } from '@art/store';

/** The version of the weights that a trainer announced last. It outlives this process, and a gateway that forgets it. */
export class PolicyVersion {
  readonly #directory: string;
  readonly #gateway: Pick<GatewayClient, 'weightVersion' | 'setWeightVersion'>;
  #current: Promise<number | undefined> | undefined;

  constructor(directory: string, gateway: Pick<GatewayClient, 'weightVersion' | 'setWeightVersion'>) {
    this.#directory = directory;
    this.#gateway = gateway;
  }

  get #file(): string {
    return join(this.#directory, 'policy-version');
  }

  /** @throws GatewayError where the gateway could not be told */
  async announce(version: number): Promise<void> {
    await this.#gateway.setWeightVersion(version);
    await makeDirectory(this.#directory, 0o700);
    await replaceFile(this.#file, String(version));
    this.#current = Promise.resolve(version);
  }

  /** Tells a gateway that has no version the one that was announced last. @throws GatewayError */
  async restore(): Promise<void> {
    const version = await (this.#current ??= this.#read());
    if (version === undefined || (await this.#gateway.weightVersion()) !== undefined) return;
    await this.#gateway.setWeightVersion(version);
  }

  async #read(): Promise<number | undefined> {
    try {
      const version = Number(await readFile(this.#file, 'utf8'));
      return Number.isSafeInteger(version) ? version : undefined;
    } catch {
      // Nobody has announced any.
      return undefined;
    }
  }
}
