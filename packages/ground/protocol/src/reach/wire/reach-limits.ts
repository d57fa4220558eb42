import { aNumber, optional, type OptionRules } from '@art/ground';

/** Numbers that both ends keep to. Those of AgentCore that they follow are reports of users, so a client may choose others. */
export interface ReachLimitOptions {
  /**
   * Largest message, in bytes. AWS documents 64 KB, users met 32 KB; a larger one drops the connection. From 20_480 to 65_536.
   * @default 24_576
   */
  messageBytes?: number | undefined;
  /**
   * Shortest time between two messages of one direction, in milliseconds: 5 are 200 messages a second, where AgentCore allows
   * 250. @default 5
   */
  messageIntervalMs?: number | undefined;
  /** When a socket is replaced by a new one, in milliseconds. AgentCore closes one after an hour. @default 3_000_000 */
  renewAfterMs?: number | undefined;
}

/** Limits that a sender keeps to. */
export interface ReachLimits {
  messageBytes: number;
  messageIntervalMs: number;
}

/** Limits of an end that was given no others. */
export const defaultReachLimits: ReachLimits = { messageBytes: 24_576, messageIntervalMs: 5 };

export const reachLimitRules = {
  messageBytes: optional(
    aNumber({ min: 20_480, max: 65_536, integer: true }),
    defaultReachLimits.messageBytes,
  ),
  messageIntervalMs: optional(aNumber({ min: 0, max: 1_000 }), defaultReachLimits.messageIntervalMs),
  renewAfterMs: optional(aNumber({ min: 100 }), 3_000_000),
} satisfies OptionRules<ReachLimitOptions>;

/** Most bytes of a stream that its reader has not taken. */
export const streamWindowBytes = 262_144;
/** The same for all streams of one direction together. */
export const socketWindowBytes = 4_194_304;
/**
 * How many messages of one direction may be on their way. A network that stands still and then continues delivers them at one
 * instant: with those of the second after it they stay below 250.
 */
export const messagesOnTheWay = 40;
/** Calls at one time. */
export const mostStreams = 64;
/** Method, path and headers of a call, or status and headers of an answer: as much as Node's own servers read. */
export const mostHeadBytes = 16_384;

export const pingIntervalMs = 30_000;
/** A socket over which nothing came for so long is dead. */
export const deadAfterMs = 60_000;
