import { headerRulesFile, type ReleaseTables } from '../../release/manifest.ts';
import { caddyfile } from './caddy.ts';
import { errorFiles } from './error-files.ts';
import { headerRules } from './header-rules.ts';
import { nginxMaps, nginxServer } from './nginx.ts';
import { objectTable } from './object-table.ts';
import { publicRows } from './public-rows.ts';
import { pageFolders, redirectRules, redirectRulesFile } from './redirect-rules.ts';

/** A file by which software other than the gateway serves the public tree. */
export interface HostFile {
  /** Path inside the release. */
  readonly file: string;
  readonly body: Buffer;
}

/**
 * The files by which stock software answers the public paths as the gateway does (docs/cdn.md). They speak of
 * public answers alone.
 *
 * @param tables of the release
 * @throws BeyondLimits when a static host would not read all of its rules
 */
export function hostFiles({
  public: resources,
  shifts,
}: Pick<ReleaseTables, 'public' | 'shifts'>): HostFile[] {
  const rows = publicRows(resources);
  const exams = Object.keys(shifts);
  const text = (file: string, body: string): HostFile => ({ file, body: Buffer.from(body) });
  return [
    text(headerRulesFile, headerRules(rows)),
    text(redirectRulesFile, redirectRules(rows, exams)),
    ...errorFiles(exams, pageFolders(rows)),
    text('hosts/nginx-maps.conf', nginxMaps(rows, exams)),
    text('hosts/nginx-server.conf', nginxServer()),
    text('hosts/Caddyfile', caddyfile(rows, exams)),
    text('hosts/objects.tsv', objectTable(rows)),
  ];
}
