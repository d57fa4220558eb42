/**
 * Keeps the process alive until the returned function is called. The engine's own timers never do: a rollout that
 * nobody waits for must not hold a finished program open.
 */
export function keepAlive(): () => void {
  const timer = setInterval(() => undefined, 1_000_000_000);
  return () => clearInterval(timer);
}
