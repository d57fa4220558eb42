import { open, rename } from 'node:fs/promises';

/** Writes a file so that after any crash, also of the machine, it is there as a whole or not at all. */
export async function writeDurably(path: string, text: string): Promise<void> {
  const draft = `${path}.draft`;
  const file = await open(draft, 'w', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, path);
}
