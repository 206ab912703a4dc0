/**
 * Converts public collections of exam questions into banks, and validates them: ENEM (`yunger7/enem-api`) and AGIEval
 * (`ruixiangcui/AGIEval`). Arguments: the folders of their checkouts. Prints the problems by rule with an example, and how
 * long it took. Texts stay as they are: what a rule reports is what a person who converts such a bank has to decide.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Question, SubjectFile } from '../../build/content/written.ts';
import { textReport } from '../../build/report/text.ts';
import { validateContent } from '../../build/validate.ts';
import { runBench } from './processes.ts';

const lastUpdated = '2024-01-01T00:00:00Z';

/** A question of ENEM, as `public/YEAR/questions/NAME/details.json` has it. */
interface EnemQuestion {
  readonly year: number;
  readonly language: string | null;
  readonly discipline: string;
  readonly context: string | null;
  readonly alternativesIntroduction: string | null;
  readonly correctAlternative: string;
  readonly alternatives: readonly {
    readonly letter: string;
    readonly text: string | null;
    readonly file: string | null;
  }[];
}

async function convertEnem(checkout: string, content: string): Promise<void> {
  const papers = new Map<string, Question[]>();
  for (const year of readdirSync(join(checkout, 'public')).filter((name) => /^\d{4}$/.test(name))) {
    const shift = join(content, 'enem', year, `${year}-11-01-s1`);
    await mkdir(join(shift, 'diagrams'), { recursive: true });
    const names = readdirSync(join(checkout, 'public', year, 'questions'));
    for (const name of names.sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10))) {
      const folder = join(checkout, 'public', year, 'questions', name);
      const source: EnemQuestion = JSON.parse(readFileSync(join(folder, 'details.json'), 'utf8'));
      const id = `enem-${year}-${name.replace(/^\d+/, (number) => number.padStart(3, '0'))}`;
      const images = new Map<string, string>();
      /** The name of a diagram in the bank, which is copied there. */
      const diagramOf = (address: string): string => {
        const file = `${id}-${images.size}${/\.\w+$/.exec(address)?.[0] ?? ''}`;
        if (existsSync(join(folder, basename(address)))) images.set(basename(address), file);
        return file;
      };
      const withDiagrams = (text: string) =>
        text.replace(/!\[\]\(([^)]*)\)/g, (_, one) => `![](${diagramOf(one)})`);
      const texts = [source.context, source.alternativesIntroduction].filter((text) => text);
      const question = withDiagrams(texts.join('\n\n'));
      const diagrams = [...images.values()].map((file) => ({ file }));
      const options = source.alternatives.map(({ letter, text, file }) => ({
        key: letter,
        ...(text ? { value: text } : {}),
        ...(file ? { diagram: { file: diagramOf(file) } } : {}),
      }));
      for (const [from, to] of images)
        await copyFile(join(folder, from), join(shift, 'diagrams', to));
      const path = join(shift, `${source.discipline}.json`);
      const all = papers.get(path) ?? [];
      papers.set(path, all);
      all.push({
        ...{ id, type: 'mcq', question, options, answer: source.correctAlternative },
        ...(diagrams.length > 0 ? { diagrams } : {}),
        ...(source.language === null ? {} : { lang: source.language === 'ingles' ? 'en' : 'es' }),
      } as Question);
    }
  }
  await writePapers(join(content, 'enem'), 'ENEM', 'pt-BR', papers);
}

/** A line of a file of AGIEval. */
interface AgievalQuestion {
  readonly passage: string | null;
  readonly question: string;
  readonly options: readonly string[] | null;
  readonly label: string | readonly string[] | null;
  readonly answer?: string | null;
}

/** Its files hold questions of many years, so each is a subject of one shift. */
async function convertAgieval(checkout: string, content: string): Promise<void> {
  const papers = new Map<string, Question[]>();
  const shift = join(content, 'agieval', '2023', '2023-04-01-s1');
  const files = readdirSync(join(checkout, 'data/v1')).filter((name) => name.endsWith('.jsonl'));
  for (const file of files) {
    const subject = basename(file, '.jsonl');
    const lines = readFileSync(join(checkout, 'data/v1', file), 'utf8')
      .split('\n')
      .filter(Boolean);
    const questions = lines.map((line, index): Question => {
      const { passage, question, options, label, answer }: AgievalQuestion = JSON.parse(line);
      const keys = [label ?? []].flat();
      const type = !options ? 'text' : keys.length > 1 ? 'msq' : 'mcq';
      return {
        ...{
          id: `${subject}-${index + 1}`,
          type,
          question: passage ? `${passage}\n\n${question}` : question,
        },
        options: (options ?? []).map((text) => ({
          key: text.charAt(1),
          value: text.slice(3).trim(),
        })),
        answer: type === 'text' ? (answer ?? '').replace(/\s+/g, ' ').trim() : keys.join(','),
        lang: /\p{sc=Han}/u.test(question) ? 'zh' : 'en',
      };
    });
    papers.set(join(shift, `${subject}.json`), questions);
  }
  await writePapers(join(content, 'agieval'), 'AGIEval', 'en', papers);
}

async function writePapers(
  exam: string,
  label: string,
  lang: string,
  papers: ReadonlyMap<string, readonly Question[]>,
): Promise<void> {
  for (const [path, questions] of papers) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(
      path,
      JSON.stringify({ lastUpdated, questions } satisfies SubjectFile, null, 2),
    );
  }
  const subjects = [...new Set([...papers.keys()].map((path) => basename(path, '.json')))];
  await writeFile(join(exam, 'exam.json'), JSON.stringify({ label, lang, subjects }));
}

await runBench(async (folder) => {
  for (const checkout of process.argv.slice(2)) {
    const contentDir = join(folder, basename(checkout));
    await mkdir(contentDir);
    const convert = existsSync(join(checkout, 'public')) ? convertEnem : convertAgieval;
    await convert(checkout, contentDir);
    const start = performance.now();
    const report = await validateContent({
      contentDir,
      dataDir: join(folder, 'data'),
      now: new Date(),
    });
    console.log(
      textReport(
        report,
        { contentDir, width: 120, colour: false },
        process.env['ALL'] !== undefined,
      ),
    );
    console.log(`${basename(checkout)}: ${((performance.now() - start) / 1000).toFixed(1)} s`);
  }
});
