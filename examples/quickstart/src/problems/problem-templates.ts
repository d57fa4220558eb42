import type { ProblemTemplate } from './problem-template.ts';
import { everydayTemplates } from './templates/everyday.ts';
import { tradeTemplates } from './templates/trade.ts';
import { travelTemplates } from './templates/travel.ts';
import { workTemplates } from './templates/work.ts';

/** Every kind of problem that the generator writes. */
export const problemTemplates: readonly ProblemTemplate[] = [
  ...tradeTemplates,
  ...workTemplates,
  ...travelTemplates,
  ...everydayTemplates,
];
