import type { ObjectAddress, ObjectProperties } from './object-backend.ts';

const mostRemembered = 10_000;

/**
 * Properties of objects that a file cannot hold (content type, metadata, checksum), as uploads of this process gave them, each for one
 * version of a file. A file that another program has replaced since is described from its bytes, and so is any after a restart.
 */
export class KnownFiles {
  readonly #known = new Map<string, { identity: string; properties: ObjectProperties }>();

  /** Undefined where nothing is known of this version. */
  of(at: ObjectAddress, identity: string): ObjectProperties | undefined {
    const known = this.#known.get(nameOf(at));
    return known?.identity === identity ? known.properties : undefined;
  }

  remember(at: ObjectAddress, identity: string, properties: ObjectProperties): void {
    this.forget(at);
    const [oldest] = this.#known.keys();
    if (this.#known.size >= mostRemembered && oldest !== undefined) this.#known.delete(oldest);
    this.#known.set(nameOf(at), { identity, properties });
  }

  forget(at: ObjectAddress): void {
    this.#known.delete(nameOf(at));
  }
}

function nameOf({ bucket, key }: ObjectAddress): string {
  // No bucket has a slash in its name.
  return `${bucket}/${key}`;
}
