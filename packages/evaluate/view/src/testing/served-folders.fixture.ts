import { onTestFinished } from 'vitest';
import { serveView } from '../serve/serve-view.ts';

/** The address of a page over folders, until the test has finished. */
export async function servedFolders(...folders: string[]): Promise<string> {
  const view = await serveView({ folders });
  onTestFinished(() => view.close());
  return view.url;
}
