/** Defines the deployment's license. Its limits are generous, and `license.json` in the data folder can change them. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkStrict, DATASET_FIELDS_MAX, License, parseJson } from '../../../api/src/index.ts';

export const LICENSE_FILE = 'license.json';

export type FullLicense = { readonly [Member in keyof License]-?: NonNullable<License[Member]> };

export type Limit = {
  [Member in keyof FullLicense]: FullLicense[Member] extends number ? Member : never;
}[keyof FullLicense];

const CENTURY_MS = 100 * 365.25 * 86_400_000;

function defaultLicense(since: Date): FullLicense {
  const issuedAt = since.toISOString();
  return {
    id: 'local',
    issuer: 'aplomb',
    issuedTo: 'Local',
    issuedAt,
    validFrom: issuedAt,
    expiresAt: new Date(since.getTime() + CENTURY_MS).toISOString(),
    ...monthOf(new Date()),
    tier: 'personal',
    features: {},
    withAuths: [],
    defaultEdgeDeployment: 'cloud.us-east-1.aws',
    edgeDeployments: ['cloud.us-east-1.aws', 'cloud.eu-central-1.aws'],
    apiRateLimitPerSecond: 100_000,
    maxAuditWindowSeconds: 365 * 86_400,
    maxDatasets: 100_000,
    maxEndpoints: 1_000,
    maxFields: DATASET_FIELDS_MAX,
    maxMonitors: 100_000,
    // This window contains all possible event times.
    maxQueryWindowSeconds: 600 * 366 * 86_400,
    maxUsers: 10_000,
    monthlyIngestGb: 1_000_000,
    monthlyQueryGbHours: 1_000_000,
    storageAllowanceGB: 1_000_000,
  };
}

export function monthOf(time: Date) {
  const start = (offset: number) =>
    new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + offset)).toISOString();
  return { billingPeriodStart: start(0), billingPeriodEnd: start(1) };
}

/** Reads a data folder's license. Throws an Error that names the file and the problem if the file is invalid. */
export async function readLicense(folder: string, since: Date): Promise<FullLicense> {
  const license = defaultLicense(since);
  const path = join(folder, LICENSE_FILE);
  const json = await readSettings(path);
  if (json === undefined) return license;
  const given = parsed(json, path);
  const unknown = Object.keys(given).find((member) => !Object.hasOwn(license, member));
  const problem =
    unknown === undefined
      ? checkStrict(License, given, 'the license')[0]?.message
      : `a license has no member ${JSON.stringify(unknown)}`;
  if (problem !== undefined) throw new Error(`${path} is not a license: ${problem}.`);
  for (const [member, value] of Object.entries(given)) {
    if (typeof value !== 'number' || value >= 0) continue;
    throw new Error(`${path} is not a license: ${member} must not be negative.`);
  }
  return { ...license, ...given };
}

/** Reads a settings file. Returns undefined if it doesn't exist. Throws an Error that names an unreadable file. */
export function readSettings(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new Error(`${path} cannot be read: ${error.message}.`);
  });
}

function parsed(json: string, path: string): object {
  let value: unknown;
  try {
    value = parseJson(json);
  } catch (error) {
    throw new Error(`${path} is not JSON: ${(error as Error).message}`);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new Error(`${path} is not a license: it must be a JSON object.`);
}
