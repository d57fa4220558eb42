import { type CreateRequest, type ListRequest, readShape, shapes } from './wire-shapes.ts';
import type { TrainingSession } from './training-session.ts';
import { WireRefusal } from './wire-refusal.ts';

export interface ControlPlaneDeps {
  /** The open and ended sessions by name. */
  sessions: Map<string, TrainingSession>;
  open: (request: CreateRequest) => TrainingSession;
  /** False where there is no such model package. */
  deletePackage: (arn: string) => Promise<boolean>;
  /** Sessions that may run at the same time. */
  mostSessions: number;
}

/** The operations of the control plane, by their names: five of sessions, one that deletes saved weights, and the one that tells of a base model. Answers what is sent as JSON; undefined: nothing. */
export function controlPlane({ sessions, open, deletePackage, mostSessions }: ControlPlaneDeps) {
  const find = (body: Buffer): TrainingSession => {
    const { TrainingSessionName: name } = readShape(shapes.OneTrainingSession, body);
    const session = sessions.get(name);
    if (session !== undefined && session.status !== 'Deleting') return session;
    throw new WireRefusal('ResourceNotFound', `Training session ${name} does not exist.`);
  };
  return {
    CreateTrainingSession: (body: Buffer): object => {
      const request = readShape(shapes.CreateTrainingSession, body);
      const { TrainingSessionName: name } = request;
      if (sessions.has(name))
        throw new WireRefusal('ResourceInUse', `Training session ${name} already exists.`);
      const running = [...sessions.values()].filter(({ status }) => status === 'Running').length;
      if (running >= mostSessions)
        throw new WireRefusal(
          'ResourceLimitExceeded',
          `The limit of ${mostSessions} training sessions is reached.`,
        );
      const session = open(request);
      sessions.set(name, session);
      return { TrainingSessionArn: session.arn };
    },
    DescribeTrainingSession: (body: Buffer): object => ({ TrainingSessionDetail: find(body).describe() }),
    ListTrainingSessions: (body: Buffer): object =>
      list([...sessions.values()], readShape(shapes.ListTrainingSessions, body)),
    StopTrainingSession: (body: Buffer): undefined => find(body).stop() as undefined,
    DeleteTrainingSession: (body: Buffer): undefined => find(body).delete() as undefined,
    DeleteModelPackage: async (body: Buffer): Promise<undefined> => {
      const { ModelPackageName: arn } = readShape(shapes.DeleteModelPackage, body);
      if (!(await deletePackage(arn)))
        throw new WireRefusal('ValidationException', `ModelPackage ${arn} does not exist.`);
    },
    // Every base model is there: the same policy is behind all of them.
    DescribeHubContent: (body: Buffer): object => {
      const {
        HubName,
        HubContentType,
        HubContentName,
        HubContentVersion = '1.0.0',
      } = readShape(shapes.DescribeHubContent, body);
      return {
        HubName,
        HubArn: hubArn('hub', HubName),
        HubContentType,
        HubContentName,
        HubContentArn: hubArn(
          'hub-content',
          `${HubName}/${HubContentType}/${HubContentName}/${HubContentVersion}`,
        ),
        HubContentVersion,
        HubContentStatus: 'Available',
        HubContentDocument: '{}',
        DocumentSchemaVersion: '1.0.0',
        CreationTime: 0,
      };
    },
  };
}

function hubArn(kind: string, name: string): string {
  return `arn:aws:sagemaker:us-west-2:aws:${kind}/${name}`;
}

function list(sessions: readonly TrainingSession[], request: ListRequest): object {
  const {
    MaxResults = 100,
    NextToken,
    NameContains = '',
    StatusEquals,
    CreationTimeAfter,
    CreationTimeBefore,
  } = request;
  const first = Number(NextToken ?? 0);
  const matching = sessions.filter(
    ({ name, status, createdMs }) =>
      name.includes(NameContains) &&
      status !== 'Deleting' &&
      (StatusEquals === undefined || status === StatusEquals) &&
      createdMs / 1_000 > (CreationTimeAfter ?? -Infinity) &&
      createdMs / 1_000 < (CreationTimeBefore ?? Infinity),
  );
  const end = first + MaxResults;
  return {
    TrainingSessionSummaries: matching.slice(first, end).map((session) => session.summary()),
    ...(end < matching.length && { NextToken: String(end) }),
  };
}
