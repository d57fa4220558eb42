import { cutOff, hollowAnswer } from './answer-shape.ts';
import { toolCallIllFormed, toolCallInText } from './broken-tool-calls.ts';
import { captureIncomplete, nothingTrains } from './capture.ts';
import { groupWithoutSpread } from './group-rewards.ts';
import type { HealthCheck } from './health-check.ts';
import { modelCallsFailed, noModelCalls } from './model-calls.ts';
import { agentErrors, infrastructureFailures } from './outcomes.ts';
import { rewardConstant, rewardFollowsLength, rewardMissing, rewardOutOfRange } from './rewards.ts';
import { answersIdentical, duplicateIdentity, promptIdenticalAcrossTasks } from './sameness.ts';
import { samplingNotAsAsked, weightVersionsMixed } from './sampling.ts';
import { groupDrewTheSame } from './shared-draws.ts';
import { toolAlwaysFails } from './tool-always-fails.ts';
import { toolNeverCalled, toolsNeverCalled } from './tools-never-called.ts';

/** Every check, in the order in which somebody should look: what explains the most comes first. */
export const healthChecks: readonly HealthCheck[] = [
  infrastructureFailures,
  agentErrors,
  noModelCalls,
  modelCallsFailed,
  promptIdenticalAcrossTasks,
  toolsNeverCalled,
  toolCallInText,
  toolCallIllFormed,
  toolAlwaysFails,
  toolNeverCalled,
  hollowAnswer,
  cutOff,
  captureIncomplete,
  nothingTrains,
  rewardMissing,
  rewardOutOfRange,
  rewardConstant,
  rewardFollowsLength,
  groupWithoutSpread,
  answersIdentical,
  groupDrewTheSame,
  samplingNotAsAsked,
  weightVersionsMixed,
  duplicateIdentity,
];
