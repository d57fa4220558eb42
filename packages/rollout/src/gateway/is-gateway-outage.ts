import { GatewayError } from '@art/gateway-client';

/** Whether the gateway was down or overloaded, which may pass, and did not refuse what it was asked. */
export function isGatewayOutage(error: unknown): error is GatewayError {
  if (!GatewayError.isInstance(error)) return false;
  const { code, status } = error;
  return (
    code === 'ART_GATEWAY_UNREACHABLE' ||
    code === 'ART_GATEWAY_TIMEOUT' ||
    (status !== undefined && (status >= 500 || status === 429))
  );
}
