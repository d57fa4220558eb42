import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Packages that a new project installs, and what they depend on. */
const needed = ['@art/create-agent', '@art/agent', '@art/cli'].map((name) => `--filter=${name}...`);

/** A registry on loopback that has packages of this workspace, as they would be published, and no others. */
export interface PackageRegistry extends AsyncDisposable {
  url: string;
}

interface Packed {
  manifest: { name: string; version: string };
  file: string;
  integrity: string;
}

/**
 * Packs the packages that a new project needs, which must have been built, and serves them.
 * https://github.com/npm/registry/blob/main/docs/responses/package-metadata.md
 * @param folder for the tarballs
 */
export async function servePackages(workspaceRoot: string, folder: string): Promise<PackageRegistry> {
  await run('pnpm', ['--recursive', ...needed, 'pack', '--pack-destination', folder], {
    cwd: workspaceRoot,
    maxBuffer: 1e8,
  });
  const files = (await readdir(folder)).filter((file) => file.endsWith('.tgz'));
  const packed = new Map<string, Packed>();
  for (const file of files) {
    const { stdout } = await run('tar', ['-xzOf', join(folder, file), 'package/package.json']);
    const manifest = JSON.parse(stdout) as Packed['manifest'];
    const bytes = await readFile(join(folder, file));
    const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
    packed.set(manifest.name, { manifest, file, integrity });
  }
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '/').slice(1);
    const found = packed.get(path);
    if (found !== undefined) sendJson(response, 200, metadata(found, `http://${request.headers.host}`));
    else if (files.includes(path)) {
      void readFile(join(folder, path)).then((bytes) => response.end(bytes));
    } else sendJson(response, 404, { error: 'not found' });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function metadata({ manifest, file, integrity }: Packed, url: string): object {
  const { name, version } = manifest;
  return {
    name,
    'dist-tags': { latest: version },
    versions: { [version]: { ...manifest, dist: { tarball: `${url}/${file}`, integrity } } },
  };
}

function sendJson(response: ServerResponse, status: number, value: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}
