import { isJsonObject } from '@art/ground';
import type { StoredFinish } from './session-state.ts';
import type { TrajectoryInit } from './trajectory-init.ts';

/** A trajectory as a session's metadata describe it. */
interface StoredTrajectory {
  /** Undefined for a session that agents opened by themselves. */
  init: TrajectoryInit | undefined;
  finish: StoredFinish | undefined;
}

/** Where a trajectory is kept in its session's metadata, so that it survives a restart. */
const memberName = 'art_trajectory';

/** A session's metadata with its trajectory in it, without what the store keeps of a session by itself. */
export function storedMetadata(
  { sessionId: _sessionId, metadata, samplingParams: _samplingParams, ...init }: TrajectoryInit,
  isCreated: boolean,
  finish?: StoredFinish,
): Record<string, unknown> {
  return { ...metadata, [memberName]: { init: isCreated ? init : undefined, finish } };
}

export function readStoredTrajectory(
  sessionId: string,
  metadata: Readonly<Record<string, unknown>>,
): StoredTrajectory {
  const kept = metadata[memberName];
  if (!isJsonObject(kept)) return { init: undefined, finish: undefined };
  const { init, finish } = kept;
  return {
    init: isJsonObject(init) ? { ...init, sessionId, metadata: ownMetadata(metadata) } : undefined,
    finish: isJsonObject(finish) ? (finish as unknown as StoredFinish) : undefined,
  };
}

/** A session's metadata as its trainer gave them. */
export function ownMetadata(metadata: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  if (!(memberName in metadata)) return metadata;
  const { [memberName]: _trajectory, ...own } = metadata;
  return own;
}
