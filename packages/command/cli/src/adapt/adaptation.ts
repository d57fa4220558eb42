import type { ModelKind, RolloutPart } from './rollout-file.ts';
import type { Placed, SourceFile } from './source-file.ts';

/** A page of the documentation, for what is not changed by itself. */
export type AdaptPage =
  | 'adapt#1-the-class'
  | 'adapt#2-the-model-for-each-request'
  | 'adapt#3-the-reward'
  | 'adapt#an-agent-that-streams'
  | 'adapt-frameworks'
  | 'adapt-projects#a-server-without-agentcores-class'
  | 'improve';

export const serverPage: AdaptPage = 'adapt-projects#a-server-without-agentcores-class';
export const modelPage: AdaptPage = 'adapt#2-the-model-for-each-request';

/** Something that a person has to decide; nothing was changed there. */
export interface AdaptNote {
  file: string;
  line: number;
  what: string;
  page: AdaptPage;
}

/** Thrown where a change could be wrong: a step of which one part is not sure changes nothing. */
export class Unsure extends Error {
  readonly note: AdaptNote;

  constructor(file: SourceFile, node: Placed, what: string, page: AdaptPage) {
    super(what);
    this.note = { file: file.path, line: file.lineOf(node), what, page };
  }
}

/** All of an agent while it is adapted: the file that starts it, and its own files that this one imports. */
export interface Adaptation {
  /** By absolute path; the first one starts the agent. */
  files: Map<string, SourceFile>;
  parts: Set<RolloutPart>;
  kind: ModelKind | undefined;
  /** The file of an import of the agent's own files. */
  resolve: (file: SourceFile, from: string) => SourceFile | undefined;
  /** Brings a name of the file about rollouts into a file. */
  need: (file: SourceFile, part: RolloutPart) => void;
}
