export {
  AgentCoreEvaluatorReward,
  type EvaluateAnswer,
  type EvaluateRequest,
  type EvaluatorClient,
} from './agentcore/agentcore-evaluator-reward.ts';
export { auditReward, type AuditOptions, type RewardAudit, type RewardHole } from './audit/audit-reward.ts';
export {
  type AuditRecord,
  type HoleSearch,
  readAudit,
  type SearchedHole,
  writeAudit,
} from './audit/audit-record.ts';
export { type AnswerVerdict, judgedAnswer, referenceVerdict } from './audit/judged-answer.ts';
export { auditReport, type AuditReport } from './audit/audit-report.ts';
export { askRun, type ControlCommand } from './control/ask-run.ts';
export { isGoalOfBoth } from './goal/goal.ts';
export { compareRuns, type Comparison, type TaskChange } from './compare/compare-runs.ts';
export { rescore, type RescoreOptions } from './compare/rescore.ts';
export { excludedText } from './report/excluded-text.ts';
export { figure, formatCost, formatEstimate, formatP } from './report/format-figures.ts';
export { goalText } from './report/goal-text.ts';
export { writeJunitXml } from './report/junit-xml.ts';
export { markdownCell } from './report/markdown-cell.ts';
export { markdownSummary } from './report/markdown-summary.ts';
export { markdownTable } from './report/markdown-table.ts';
export { endTable, type ReportTable, reportTables } from './report/report-tables.ts';
export { type ThresholdCheck, type Thresholds, type ThresholdVerdict } from './results/thresholds.ts';
export type { JudgeDrift, JudgeMeasure } from './judges/judge-measure.ts';
export { measureJudge, type MeasureJudgeOptions } from './judges/measure-judge.ts';
export { type MinedTasks, mineTasks } from './mining/mine-tasks.ts';
export { KeptJudge } from './judge-module/kept-judge.ts';
export { JudgeModule, type JudgeModuleOptions } from './judge-module/judge-module.ts';
export { matrixReport } from './matrix/matrix-report.ts';
export { type MatrixCell, readMatrix, wantedNames } from './matrix/read-matrix.ts';
export { EvalRun } from './run/eval-run.ts';
export { planRun, type PlanOptions, type RunPlan } from './plan/plan-run.ts';
export { openBudget } from './run/open-budget.ts';
export { evaluate } from './run/evaluate.ts';
export { evaluatePair, type PairOptions, type PairSide } from './run/evaluate-pair.ts';
export type { EvaluateOptions } from './run/evaluate-options.ts';
export {
  givenInputs,
  isSecretField,
  nameOfJudge,
  recordedSettings,
  refuseOtherInputs,
  type RunInputs,
} from './run/run-inputs.ts';
export type { EvaluatedAgent } from './run/evaluated-agent.ts';
export type { Judge, JudgeContext, JudgedSample } from './run/judge.ts';
export type { Task, TaskInput } from './tasks/task.ts';
export type { TaskSelection } from './tasks/task-selection.ts';
export { readTasks } from './tasks/read-tasks.ts';
export type { DataOptions } from './tasks/open-task-file.ts';
export type { Tasks } from './tasks/task-source.ts';
export { TranscriptGateway, type CaptureReader } from './transcript/transcript-gateway.ts';
export type { Doubt } from './statistics/pair-doubts.ts';
export type { Difference } from './statistics/estimate-difference.ts';
