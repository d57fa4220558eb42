/**
 * The wanted answer of the engine. It travels as the name of the model, which every gateway passes on: the engine needs
 * to look no further into a request.
 */
export type CallModel =
  | { kind: 'whole'; promptTokens: number; completionTokens: number; delayMs: number }
  | { kind: 'stream'; promptTokens: number; chunks: number; paceMs: number }
  /** A turn of a conversation that grows; turns count from 0. */
  | { kind: 'turn'; conversation: number; turn: number };

const pattern = /"model":\s*"(whole|stream|turn)-(\d+)-(\d+)(?:-(\d+))?"/;

export function modelName(model: CallModel): string {
  switch (model.kind) {
    case 'whole':
      return `whole-${model.promptTokens}-${model.completionTokens}-${model.delayMs}`;
    case 'stream':
      return `stream-${model.promptTokens}-${model.chunks}-${model.paceMs}`;
    case 'turn':
      return `turn-${model.conversation}-${model.turn}`;
  }
}

/** Reads the first bytes of a request's body, or its last ones where a gateway has moved the name there. */
export function readCallModel(bytes: string): CallModel | undefined {
  const [, kind, first, second, third] = pattern.exec(bytes) ?? [];
  const [a, b, c] = [Number(first), Number(second), Number(third ?? 0)];
  switch (kind) {
    case 'whole':
      return { kind, promptTokens: a, completionTokens: b, delayMs: c };
    case 'stream':
      return { kind, promptTokens: a, chunks: b, paceMs: c };
    case 'turn':
      return { kind, conversation: a, turn: b };
    default:
      return undefined;
  }
}
