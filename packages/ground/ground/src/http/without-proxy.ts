const loopbackNames = ['127.0.0.1', 'localhost', '::1'];

/**
 * Returns `NO_PROXY` for an environment with a proxy, so that calls on this machine never go there; nothing where there is no proxy
 * or loopback is left out already. Both spellings are given, since programs read one or the other.
 */
export function loopbackWithoutProxy(env: NodeJS.ProcessEnv): { NO_PROXY?: string; no_proxy?: string } {
  const hasProxy = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'].some(
    (name) => (env[name] ?? env[name.toLowerCase()] ?? '') !== '',
  );
  const given = env['NO_PROXY'] ?? env['no_proxy'] ?? '';
  const names = given.split(/[\s,]+/).filter((name) => name !== '');
  if (!hasProxy || names.includes('*')) return {};
  const missing = loopbackNames.filter((name) => !names.includes(name));
  if (missing.length === 0) return {};
  const all = [...names, ...missing].join(',');
  return { NO_PROXY: all, no_proxy: all };
}
