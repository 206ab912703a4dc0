/** Writes each paper of the bank in CONTENT_DIR as JSON, through a template with pagination, as Eleventy's docs do. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export default function writePapers(config) {
  config.setQuietMode(true);
  config.addGlobalData('papers', () => {
    const content = process.env.CONTENT_DIR;
    return readdirSync(content, { recursive: true })
      .filter((path) => path.split('/').length === 4 && path.endsWith('.json'))
      .map((path) => {
        const [exam, year, shift, file] = path.split('/');
        const { questions, lastUpdated } = JSON.parse(readFileSync(join(content, path), 'utf8'));
        const subject = file.slice(0, -'.json'.length);
        const body = {
          exam,
          year: Number(year),
          shift,
          subject,
          total: questions.length,
          questions,
          lastUpdated,
        };
        return { path, body };
      });
  });
  config.addTemplate('paper.11ty.js', {
    data: {
      pagination: { data: 'papers', size: 1, alias: 'paper' },
      permalink: ({ paper }) => `/${paper.path}`,
    },
    render: ({ paper }) => JSON.stringify(paper.body),
  });
}
