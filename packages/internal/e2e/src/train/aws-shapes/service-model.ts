import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** A shape of AWS's service models, as far as JSON can be held against it. */
export interface Shape {
  type: string;
  members?: Record<string, { shape: string; location?: string }>;
  required?: string[];
  union?: boolean;
  /** Any JSON. */
  document?: boolean;
  member?: { shape: string };
  value?: { shape: string };
  enum?: string[];
  min?: number;
  max?: number;
  pattern?: string;
}

interface Operation {
  http: { method: string; requestUri: string };
  input?: { shape: string };
  output?: { shape: string };
  errors?: { shape: string }[];
}

export interface ServiceModel {
  operations: Record<string, Operation>;
  shapes: Record<string, Shape>;
}

/** The model that the boto3 of a Python environment has of a service. @param executable its interpreter */
export function serviceModel(executable: string, service: string): ServiceModel {
  const pattern = `lib/python3*/site-packages/botocore/data/${service}/*/service-2.json.gz`;
  const root = join(dirname(executable), '..');
  const [path] = globSync(pattern, { cwd: root });
  if (path === undefined) throw new Error(`${root} has no model of ${service}`);
  return JSON.parse(gunzipSync(readFileSync(join(root, path))).toString()) as ServiceModel;
}
