import { type MockRequest, type MockTurn, startMockModel } from '@art/mock-model';
import { calledAt, type AgentPlace } from './place.ts';

/** Request to a model, and when it came: monotonic milliseconds. */
export interface RecordedRequest extends MockRequest {
  atMs: number;
}

/** A model endpoint that remembers who asked what. */
export interface RecordingModel {
  readonly baseUrl: string;
  /** Without `/v1`, as Anthropic's client wants it. */
  readonly url: string;
  readonly requests: RecordedRequest[];
  /** Answer from now on. */
  turn: MockTurn;
  close(): Promise<void>;
}

/** Answer that fits most agents: it ends a tool loop, and GSM8K's reward can read it. */
export const plainTurn: MockTurn = { text: 'The answer is #### 42' };

export async function openRecordingModel(place: AgentPlace): Promise<RecordingModel> {
  const requests: RecordedRequest[] = [];
  const recording = { turn: plainTurn };
  const model = await startMockModel({
    host: place.listenAt,
    reply: (request) => {
      requests.push({ ...request, atMs: performance.now() });
      return recording.turn;
    },
  });
  return Object.assign(recording, {
    baseUrl: calledAt(place, model.baseUrl),
    url: calledAt(place, model.url),
    requests,
    close: () => model.close(),
  });
}
