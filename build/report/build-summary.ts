import type { PublishedBuild } from '../publish/build-result.ts';

/** What a build did, on a few lines below the one that names the release. */
export function buildSummary({ taken, made, figures }: PublishedBuild): string {
  const { bytes, stages, slowest } = figures;
  const rows: [string, string][] = [
    ['Answers', `${made} made, ${taken} taken over`],
    ['Bytes', `${megabytes(bytes.plain)}, compressed ${megabytes(bytes.smallest)}`],
    ['Seconds', stages.map(({ name, milliseconds }) => `${name} ${seconds(milliseconds)}`).join(', ')],
  ];
  if (slowest.length > 0)
    rows.push([
      'Slowest',
      slowest.map(({ path, milliseconds }) => `${path} ${seconds(milliseconds)}`).join(', '),
    ]);
  return rows.map(([name, value]) => `  ${name.padEnd(8)} ${value}\n`).join('');
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(milliseconds < 10 ? 3 : 2);
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(2)} MB`;
}
