/** Limits of AgentCore's WebSockets. What is not in AWS's documentation was reported by users of the service. */
export interface WebSocketLimitOptions {
  /** Largest message; a larger one drops the connection. AWS documents 64 KB, users met 32 KB. @default 32_768 */
  maxFrameBytes?: number | undefined;
  /** Most messages in any second, in each direction; one more drops the connection. @default 250 */
  framesPerSecond?: number | undefined;
  /** How long a connection may last. @default 3_600_000 */
  maxDurationMs?: number | undefined;
}

export type WebSocketLimits = { [Limit in keyof WebSocketLimitOptions]-?: number };

/** Meter of one direction of a connection, held against the limits. */
export class FrameMeter {
  frames = 0;
  largestFrameBytes = 0;
  mostFramesPerSecond = 0;
  readonly #limits: Pick<WebSocketLimits, 'maxFrameBytes' | 'framesPerSecond'>;
  /** When the frames of the last second came. */
  readonly #recentMs: number[] = [];

  constructor(limits: Pick<WebSocketLimits, 'maxFrameBytes' | 'framesPerSecond'>) {
    this.#limits = limits;
  }

  /** Counts a frame, and says which limit it breaks. */
  count(sizeBytes: number, nowMs: number): 'frame_size' | 'frame_rate' | undefined {
    const recent = this.#recentMs;
    recent.push(nowMs);
    while (recent[0]! <= nowMs - 1_000) recent.shift();
    this.frames += 1;
    this.largestFrameBytes = Math.max(this.largestFrameBytes, sizeBytes);
    this.mostFramesPerSecond = Math.max(this.mostFramesPerSecond, recent.length);
    if (sizeBytes > this.#limits.maxFrameBytes) return 'frame_size';
    return recent.length > this.#limits.framesPerSecond ? 'frame_rate' : undefined;
  }
}
