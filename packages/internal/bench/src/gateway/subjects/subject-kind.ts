/** Subjects between the load generator and the engine. */
export const subjectKinds = ['direct', 'pipe', 'art', 'art_raw', 'rllm'] as const;

export type SubjectKind = (typeof subjectKinds)[number];

/** As the reports call them. */
export const subjectTitles: Record<SubjectKind, string> = {
  direct: 'direct to the engine',
  pipe: 'bare pipe in Node',
  art: 'ART gateway',
  art_raw: 'ART gateway, raw bodies kept',
  rllm: 'rllm-model-gateway (keeps raw bodies)',
};

/** True if it has sessions and captures. */
export function isGateway(kind: SubjectKind): boolean {
  return kind === 'art' || kind === 'art_raw' || kind === 'rllm';
}
