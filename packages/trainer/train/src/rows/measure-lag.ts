import type { TrainingRow, TurnSpan } from '@art/trajectories';

/** How many optimizer steps lie between the weights that sampled rows and those that they train. */
export interface Lag {
  /** Mean over trained tokens. */
  mean: number;
  /** The lag of the row that is furthest behind, counted from its oldest token. */
  most: number;
  /** Share of rows whose tokens are of more than one version. */
  mixedRows: number;
}

/** Undefined where a turn does not say what sampled it: then the lag was not observed, and 0 would be a claim. */
export function measureLag(rows: readonly TrainingRow[], version: number): Lag | undefined {
  let tokens = 0;
  let behind = 0;
  let most = 0;
  let mixed = 0;
  for (const row of rows) {
    const versions = new Set<number>();
    for (const span of row.turn_spans) {
      for (const { start, end, version: own } of versionsOf(span)) {
        if (!Number.isFinite(own)) return undefined;
        const trained = row.loss_mask.slice(start, end).filter((mask) => mask === 1).length;
        if (trained === 0) continue;
        tokens += trained;
        behind += trained * (version - own);
        most = Math.max(most, version - own);
        versions.add(own);
      }
    }
    if (versions.size > 1) mixed += 1;
  }
  return tokens === 0 ? undefined : { mean: behind / tokens, most, mixedRows: mixed / rows.length };
}

function versionsOf(span: TurnSpan): { start: number; end: number; version: number }[] {
  const { start, end, weight_versions: several = [], weight_version: one } = span;
  if (several.length > 0) return several.map((part) => ({ ...part, version: Number(part.version) }));
  return [{ start, end, version: one ?? Number.NaN }];
}
