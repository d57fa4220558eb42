import type { SubjectKind } from './subject-kind.ts';

/** A measured subject, in its own process. */
export interface RunningSubject extends AsyncDisposable {
  kind: SubjectKind;
  url: string;
  /** Undefined for the engine itself, whose cost nobody asks for. */
  pid: number | undefined;
}
