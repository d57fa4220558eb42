import type { Probe } from '../task.ts';

/** A part of a package that is written in one of the ways that ES modules do not have. */
export interface Piece {
  name: string;
  files: Record<
    string,
    { before: string; /** As a good migration leaves it. @default as before */ after?: string }
  >;
  /** Text of index.js about it. */
  index: { before: string; after: string };
  /** A line of the visible tests, where `pkg` is the package. */
  test: string;
  probes: Probe[];
}

/** A dependency at its new version, and the part of the package that uses the old one. */
export interface Dependency extends Piece {
  /** Its files in node_modules. */
  installed: Record<string, string>;
  /** Version 1, by which a test sees that the probes are true of the package as it is. */
  formerly: string;
}
