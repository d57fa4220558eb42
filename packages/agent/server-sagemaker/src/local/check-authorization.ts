import { JobRefusal } from './trajectory-table.ts';

const bearerPrefix = 'sagemaker-api-key-';

/**
 * Checks what speaks for the caller as far as that goes without its keys: SigV4 for `sagemaker`, as boto3 sends it, or the bearer
 * token that AWS's Python SDK makes, in its region and before its end.
 * @throws JobRefusal 403
 */
export function checkAuthorization(authorization: string | undefined, region: string, epochMs: number): void {
  const reason = authorization?.startsWith('Bearer ')
    ? problemOfToken(authorization.slice('Bearer '.length), region, epochMs)
    : /^AWS4-HMAC-SHA256 Credential=[^,]+\/sagemaker\/aws4_request,/.test(authorization ?? '')
      ? undefined
      : 'there is neither SigV4 for "sagemaker" nor a bearer token';
  if (reason === undefined) return;
  throw new JobRefusal(403, `Access denied: ${reason}.`);
}

function problemOfToken(token: string, region: string, epochMs: number): string | undefined {
  if (!token.startsWith(bearerPrefix)) return `the key does not begin with ${bearerPrefix}`;
  const url = `https://${Buffer.from(token.slice(bearerPrefix.length), 'base64').toString()}`;
  if (!URL.canParse(url)) return 'the key holds no URL';
  const { hostname, searchParams: signed } = new URL(url);
  const scope = signed.get('X-Amz-Credential')?.split('/').slice(2).join('/');
  if (hostname !== 'sagemaker.amazonaws.com' || signed.get('Action') !== 'CallWithBearerToken')
    return 'the key is no CallWithBearerToken of sagemaker.amazonaws.com';
  if (scope !== `${region}/sagemaker/aws4_request`)
    return `the key is for ${scope}, and the job is in ${region}`;
  if (!/^[0-9a-f]{64}$/.test(signed.get('X-Amz-Signature') ?? '') || signed.get('Version') !== '1')
    return 'the key has no signature or no version';
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(signed.get('X-Amz-Date') ?? '') ?? [];
  const signedMs = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  const lastsMs = Number(signed.get('X-Amz-Expires')) * 1_000;
  return epochMs < signedMs + Math.min(lastsMs, 43_200_000) ? undefined : 'the key has expired';
}
