/** Requests that the endpoint has answered, by kind. */
export interface RequestCounts {
  /** Invocations that started a session. */
  invoke: number;
  /** Invocations of a session that had one already: sent again. */
  invokeRepeated: number;
  /** Refused with 429. */
  invokeThrottled: number;
  /** Refused with 402. */
  invokeOverQuota: number;
  /** Questions to sessions for their results. */
  ask: number;
  /** Most of them in one second. */
  askPeakPerSecond: number;
  head: number;
  list: number;
  /** Reads that found a result. */
  get: number;
  /** Reads that found none. */
  getMissing: number;
  /** Requests to the store that were answered with an injected error. Failed `head` and `list` are counted there too. */
  storeError: number;
  stop: number;
  /** Refused with 429. */
  stopThrottled: number;
  other: number;
}

export function noRequests(): RequestCounts {
  return {
    invoke: 0,
    invokeRepeated: 0,
    invokeThrottled: 0,
    invokeOverQuota: 0,
    ask: 0,
    askPeakPerSecond: 0,
    head: 0,
    list: 0,
    get: 0,
    getMissing: 0,
    storeError: 0,
    stop: 0,
    stopThrottled: 0,
    other: 0,
  };
}
