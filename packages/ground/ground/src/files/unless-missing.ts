/** Gives undefined where a file is not there. @throws what else went wrong */
export async function unlessMissing<Result>(reading: Promise<Result>): Promise<Result | undefined> {
  return reading.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
}
