import { describeThrown } from '@art/ground';
import { type ServedView, serveView } from '@art/view';
import type { CliContext } from '../cli-context.ts';
import { openBrowser } from '../terminal/open-browser.ts';

/**
 * Opens the page of a run while it continues; its folder has to be there.
 * @returns undefined where it cannot be shown, which is told and ends nothing
 */
export async function openLivePage(
  folder: string,
  env: CliContext['env'],
  note: (message: string) => void,
): Promise<ServedView | undefined> {
  try {
    const view = await serveView({ folders: [folder], port: 0 });
    note(`The run is at ${view.url}`);
    const trouble = await openBrowser(view.url, env);
    if (trouble !== undefined) note(`No browser was opened: ${trouble}`);
    return view;
  } catch (error) {
    note(`The page cannot be shown: ${describeThrown(error).message}`);
    return undefined;
  }
}
