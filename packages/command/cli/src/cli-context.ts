/** Where text goes. */
export interface OutputStream {
  /** @param done called when the text is on its way */
  write(text: string, done?: () => void): unknown;
  /** True if a person looks at it; colours are used only then. */
  isTTY?: boolean | undefined;
  /** Width of a terminal, in characters. */
  columns?: number | undefined;
}

/** Where a payload may come from. */
export interface InputStream extends AsyncIterable<string | Buffer> {
  isTTY?: boolean | undefined;
  /** Lets go of it; a terminal that is waited for keeps the process alive. */
  destroy?(): unknown;
}

/** Where Ctrl-C and its kin are heard; `process` is one. */
export interface SignalSource {
  on(signal: NodeJS.Signals, listener: (signal: NodeJS.Signals) => void): unknown;
  off(signal: NodeJS.Signals, listener: (signal: NodeJS.Signals) => void): unknown;
}

/** The process around a run of the command, injected so that a test can be that process. */
export interface CliContext {
  stdin: InputStream;
  stdout: OutputStream;
  stderr: OutputStream;
  /** The process environment. `art dev` takes AWS endpoints out of it, because its sessions inherit it. */
  env: Record<string, string | undefined>;
  cwd: string;
  signals: SignalSource;
  /** Ends the process at once, for the second Ctrl-C. */
  exit(code: number): void;
  /** Runs the same command line once more with arguments behind it; absent where the process is somebody else's. */
  startSelf?: (args: readonly string[]) => SelfProcess;
}

/** The command in another process, which writes where this one does. */
export interface SelfProcess {
  /** How it ended, and after how long: by a signal or with a code, the other one is null. */
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null; lastedMs: number }>;
  /** Asks it to end. */
  end(): void;
}

/** Gives a command line what it runs: a function of the options and the process, whose number is the exit code. */
export type Bind = <Options>(
  run: (options: Options, context: CliContext) => Promise<number>,
) => (options: Options) => Promise<void>;
