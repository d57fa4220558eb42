import { type ServedView, serveView } from '@art/view';
import type { CliContext } from '../cli-context.ts';
import { openBrowser } from '../terminal/open-browser.ts';

/** The page of a run while it goes on. */
export class LivePage implements AsyncDisposable {
  readonly #folder: string;
  readonly #context: CliContext;
  readonly #note: (message: string) => void;
  #opening: Promise<ServedView | undefined> | undefined;

  constructor(folder: string, context: CliContext, note: (message: string) => void) {
    this.#folder = folder;
    this.#context = context;
    this.#note = note;
  }

  /** Opens it, once; the folder has to have its run. That there is no page is told, and ends nothing. */
  open(): Promise<ServedView | undefined> {
    this.#opening ??= this.#open().catch((error: unknown) => {
      this.#note(`The page cannot be shown: ${error instanceof Error ? error.message : String(error)}`);
      return undefined;
    });
    return this.#opening;
  }

  async #open(): Promise<ServedView> {
    const view = await serveView({ folders: [this.#folder], port: 0 });
    this.#note(`The run is at ${view.url}`);
    const trouble = await openBrowser(view.url, this.#context.env);
    if (trouble !== undefined) this.#note(`No browser was opened: ${trouble}`);
    return view;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const view = await this.#opening;
    await view?.[Symbol.asyncDispose]();
  }
}
