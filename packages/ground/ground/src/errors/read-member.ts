/**
 * A member of any value; undefined where there is none, or where reading it throws. What agents throw need not be an error
 * and need not be readable: a getter may throw, and a revoked `Proxy` throws at every touch.
 */
export function readMember(value: unknown, name: PropertyKey): unknown {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return undefined;
  try {
    return (value as Record<PropertyKey, unknown>)[name];
  } catch {
    return undefined;
  }
}
