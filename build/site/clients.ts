/** What programs of users load: the clients, one file each, and what the API is, for language models. */
import { readFile } from 'node:fs/promises';
import type { CompiledExam } from '../compile/exams.ts';
import type { Output } from '../compile/response.ts';
import type { Bank } from '../release/config.ts';
import { publicFile, scriptAsset } from './assets.ts';
import { examplePaper } from './example.ts';
import { planLimits } from './text.ts';

const client = new URL('../client/', import.meta.url);

/** The clients for JavaScript and Python, and `/llms.txt`. */
export async function clientOutputs(
  bank: Bank,
  exams: readonly CompiledExam[],
): Promise<readonly Output[]> {
  const [types, python] = await Promise.all(
    ['client.d.mts', 'pastpaper.py'].map((name) => readFile(new URL(name, client))),
  );
  return [
    (await scriptAsset('docs/client.mjs', 'client')).output,
    (await scriptAsset('docs/render.mjs', 'render')).output,
    publicFile('docs/client.d.mts', 'text/plain; charset=utf-8', types ?? Buffer.alloc(0)),
    publicFile('docs/pastpaper.py', 'text/x-python; charset=utf-8', python ?? Buffer.alloc(0)),
    publicFile('llms.txt', 'text/plain; charset=utf-8', Buffer.from(llmsText(bank, exams))),
  ];
}

/** `/llms.txt` (llmstxt.org): Markdown of which a language model can make programs. */
function llmsText(bank: Bank, exams: readonly CompiledExam[]): string {
  const { origin, exam, year, shiftPath, subject } = examplePaper(exams, bank.publicUrl);
  const list = exams.map(({ resource, subjects }) => {
    const { exam, label, years } = resource;
    return `- ${exam}: ${label}. Years: ${years.join(', ')}. Subjects: ${subjects.join(', ')}.`;
  });
  return `# ${bank.name}

> ${bank.tagline}

A read-only HTTP API of exam questions at ${origin}. Metadata is public; questions and diagrams require a key, which users
create at ${origin}/dashboard/: \`Authorization: Bearer <API_KEY>\`. Limits: ${planLimits(bank.plans)}.
Use the clients below instead of requests of your own: they fetch a year with one request, stay within the limits, verify
checksums and score responses.

    import { Bank } from './client.mjs'; // ${origin}/docs/client.mjs
    const bank = await Bank.open('${origin}', { key: process.env.API_KEY });
    const questions = await bank.select({ exam: '${exam}', years: [${year}], subject: '${subject}', count: 20, seed: 1 });

    from pastpaper import Bank  # ${origin}/docs/pastpaper.py
    bank = Bank.open("${origin}", key="pfx_...")
    questions = bank.select(exam="${exam}", years=[${year}], subject="${subject}", count=20, seed=1)

A question has \`id\`, \`type\` (mcq, msq, numerical, text), \`question\`, \`options\` (\`key\`, \`value\`), \`answer\`, \`topic\`,
\`difficulty\` and \`diagrams\`. Texts are Markdown with LaTeX between dollars. Do not show \`answer\` and \`solution\` to a
student who has not answered.

## Exams

${list.join('\n')}

## Paths

- [/exams.json](${origin}/exams.json): the exams, public
- [/${exam}](${origin}/${exam}), [/${exam}/${year}](${origin}/${exam}/${year}): years; shifts with checksums, public
- ${shiftPath}/${subject}.json: the questions of a paper, with a key
- /{exam}/{year}/questions.json: ids, topics and difficulties of a year, public
- /{exam}/{year}/all.zip, /{exam}/{year}/{shift}.zip: everything of a year or shift, with a key, one request
- /changes.json: questions that releases changed, JSON Feed, public

## Documentation

- [Reference](${origin}/docs/reference/): endpoints, fields and errors
- [OpenAPI](${origin}/docs/openapi.json): for generators
- [Guides](${origin}/docs/guides/): keys, limits, texts, scores, mirrors
- [client.mjs](${origin}/docs/client.mjs), [pastpaper.py](${origin}/docs/pastpaper.py): the clients
- [render.mjs](${origin}/docs/render.mjs): \`render(question)\` gives HTML with MathML, \`<pastpaper-question>\` can be answered
`;
}
