import { open, rename, rm } from 'node:fs/promises';

/**
 * Replaces a file in one step: a reader sees the old text or the new one.
 * @param options `isDurable`: also whoever comes after a power failure; costs a wait for the disk @default true
 */
export async function writeWhole(
  path: string,
  text: string,
  { isDurable = true }: { isDurable?: boolean } = {},
): Promise<void> {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    const file = await open(temporary, 'w');
    try {
      await file.writeFile(text);
      if (isDurable) await file.datasync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
