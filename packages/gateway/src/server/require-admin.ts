import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { ApiError } from '../http/api-error.ts';
import { apiKeyOf } from '../sessions/identify-session.ts';

/** Makes a check for the admin token. @throws ApiError 401 */
export function adminCheck(adminToken: string | undefined): (headers: IncomingHttpHeaders) => void {
  if (adminToken === undefined) return () => undefined;
  const expected = digest(adminToken);
  return (headers) => {
    const given = apiKeyOf(headers);
    if (given !== undefined && timingSafeEqual(digest(given), expected)) return;
    throw new ApiError({
      status: 401,
      message: 'Expected the admin token as `Authorization: Bearer`.',
      code: 'admin_token_required',
    });
  };
}

// Digests have one length, so the comparison tells nothing about the token's.
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
