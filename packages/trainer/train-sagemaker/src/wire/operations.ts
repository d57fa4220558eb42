/**
 * The operations of AWS that this package sends, and the kind of resource that each concerns. The policy of the caller is made of this table.
 */
export const operations = {
  CreateTrainingSession: 'session',
  DescribeTrainingSession: 'session',
  StopTrainingSession: 'session',
  ListTrainingSessions: 'any',
  DescribeHubContent: 'model',
  DeleteModelPackage: 'package',
  ExecuteTrainingOperation: 'session',
  GetTrainingOperationResult: 'session',
  ExecuteSamplingOperation: 'session',
  GetSamplingOperationResult: 'session',
} as const;

export type Operation = keyof typeof operations;
