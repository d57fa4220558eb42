export { searchHoles, type SearchHolesOptions } from './attack/search-holes.ts';
export { type Reflect, reflectBy } from './reflect/reflect.ts';
export { improve } from './run/improve.ts';
export type { ImproveOptions } from './run/improve-options.ts';
export { type ImproveRecord, readImproveRecord } from './run/improve-record.ts';
export type { Improvement } from './run/improve-run.ts';
export type { ImproveStatus } from './run/improve-status.ts';
export type { IterationRecord, IterationVerdict } from './run/iteration-record.ts';
export type { Candidate, Prompts } from './search/prompt-search.ts';
