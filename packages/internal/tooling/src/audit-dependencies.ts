/**
 * Looks the shipped dependencies up among the known security advisories: exit 1 on one that is high or critical. A
 * registry without an advisory service, as mirrors often are, is said and does not fail the run.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

interface AuditReport {
  advisories?: Record<string, { module_name?: string; severity?: string; title?: string; url?: string }>;
  metadata?: { vulnerabilities?: Record<string, number> };
}

const root = join(import.meta.dirname, '../../../..');
const { stdout, stderr } = spawnSync(
  join(root, 'node_modules/.bin/pnpm'),
  ['audit', '--prod', '--json', '--audit-level', 'high'],
  { cwd: root, encoding: 'utf8', timeout: 120_000 },
);
const report = parseReport(stdout);
if (report?.metadata === undefined) {
  const reason = (stderr || stdout).trim().split('\n')[0] ?? 'no answer';
  console.warn(`Dependencies were not audited: the registry gives no advisories (${reason}).`);
} else {
  const grave = Object.values(report.advisories ?? {}).filter(
    ({ severity }) => severity === 'high' || severity === 'critical',
  );
  const { high = 0, critical = 0 } = report.metadata.vulnerabilities ?? {};
  for (const { module_name: name, severity, title, url } of grave)
    console.error(`${severity}: ${name}: ${title} (${url})`);
  console.log(`Audit: ${critical} critical, ${high} high`);
  if (high + critical > 0) process.exitCode = 1;
}

function parseReport(text: string): AuditReport | undefined {
  try {
    return JSON.parse(text) as AuditReport;
  } catch {
    return undefined;
  }
}
