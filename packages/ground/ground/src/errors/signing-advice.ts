/**
 * Advice for a request that AWS refused for its signature; undefined for every other failure. None of these is a matter
 * of permissions. Sources: https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html,
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/signature-v4-troubleshooting.html
 * @param name the error's code, such as `SignatureDoesNotMatch`
 */
export function signingAdvice(name: string, message: string): string | undefined {
  const isOfSignature =
    /^(RequestTimeTooSkewed|RequestExpired|RequestInTheFuture|SignatureDoesNotMatch|InvalidSignature(Exception)?|IncompleteSignature(Exception)?)$/.test(
      name,
    );
  if (!isOfSignature) return undefined;
  if (isClockRefusal(name, message))
    return `The clock of this machine is wrong, and signatures are good for a few minutes only: it says ${new Date().toISOString()}. Set it (timedatectl status; chronyc tracking), in a virtual machine or WSL after a sleep as well.`;
  return 'The secret key does not belong to the access key, or something on the way changed the request: check AWS_SECRET_ACCESS_KEY for blanks and lost characters, AWS_SESSION_TOKEN, and proxies that rewrite the Host header or the path.';
}

/**
 * True if AWS refused a request because the clock of this machine differs from AWS's own: it certainly did nothing else with the
 * request. SDKs take the difference from such an answer, so the request can be sent again.
 * @param name the error's code, such as `RequestTimeTooSkewed`
 */
export function isClockRefusal(name: string, message: string): boolean {
  if (/^Request(TimeTooSkewed|Expired|InTheFuture)$/.test(name)) return true;
  // "Signature expired: 20261123T010203Z is now earlier than ...", "Signature not yet current: ..."
  const isOfSignature = /^(InvalidSignature(Exception)?|SignatureDoesNotMatch)$/.test(name);
  return isOfSignature && /expired|not yet current/i.test(message);
}
