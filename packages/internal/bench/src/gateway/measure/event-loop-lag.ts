/** How late the event loop was; milliseconds. */
export interface EventLoopLag {
  p50: number;
  p99: number;
  max: number;
}

/** Reads a gateway's Prometheus page: the lag since the page was read last. */
export async function readEventLoopLag(url: string): Promise<EventLoopLag> {
  const response = await fetch(`${url}/metrics`);
  const page = await response.text();
  const gauge = (name: string): number => {
    const value = new RegExp(`^art_gateway_event_loop_lag_${name}_seconds (\\S+)$`, 'm').exec(page)?.[1];
    if (value === undefined) throw new Error(`${url}/metrics has no event loop lag "${name}".`);
    return Number(value) * 1_000;
  };
  return { p50: gauge('p50'), p99: gauge('p99'), max: gauge('max') };
}
