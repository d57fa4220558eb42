/** `art view` as its user wants it; every value has been checked. */
export interface ViewOptions {
  /** @default where "art eval" puts its runs */
  folders: readonly string[];
  port: number;
  /** Whether a browser is to be opened. */
  open: boolean;
  /** File that is written instead of serving. */
  export?: string | undefined;
  json: boolean;
}
