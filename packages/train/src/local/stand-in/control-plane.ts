import type { CreateRequest, ListRequest } from './wire-shapes.ts';
import { readShape, shapes } from './wire-shapes.ts';
import type { TrainingSession } from './training-session.ts';
import { WireRefusal } from './wire-refusal.ts';

export interface ControlPlaneDeps {
  /** The open and ended sessions by name. */
  sessions: Map<string, TrainingSession>;
  open: (request: CreateRequest) => TrainingSession;
  /** Sessions that may run at the same time. */
  mostSessions: number;
}

/** The operations of the control plane, by their names: five of sessions, and the one that tells of a base model. Answers what is sent as JSON; undefined: nothing. */
export function controlPlane({ sessions, open, mostSessions }: ControlPlaneDeps) {
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
    // Every base model is there: the same policy is behind all of them.
    DescribeHubContent: (body: Buffer): object => {
      const { HubName, HubContentType, HubContentName } = readShape(shapes.DescribeHubContent, body);
      return {
        HubName,
        HubContentType,
        HubContentName,
        HubContentStatus: 'Available',
        HubContentDocument: '{}',
      };
    },
  };
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
