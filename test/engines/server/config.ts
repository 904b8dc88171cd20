/** The configuration of chdb. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const common = join(import.meta.dirname, 'config.xml');

/** Returns the path of a configuration, in which users have the rights of `grants` alone unless it is null. */
export function configFor(folder: string, grants: readonly string[] | null): string {
  if (grants === null) return common;
  mkdirSync(folder, { recursive: true });
  const path = join(folder, 'users.xml');
  const queries = grants.map((grant) => `<query>${grant}</query>`).join('');
  const more = `
  <users_config>${path}</users_config>
  <user_directories><users_xml><path>${path}</path></users_xml></user_directories>
  <profiles><default/></profiles>
  <quotas><default/></quotas>
  <users>
    <default>
      <password/>
      <networks><ip>::/0</ip></networks>
      <profile>default</profile>
      <quota>default</quota>
      <grants>${queries}</grants>
    </default>
  </users>
</clickhouse>`;
  writeFileSync(path, readFileSync(common, 'utf8').replace('</clickhouse>', more));
  return path;
}
