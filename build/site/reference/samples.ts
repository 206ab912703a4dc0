/** Code samples in each language. Samples that need a key read it from the environment variable `API_KEY`. */
import type { CompiledExam } from '../../compile/exams.ts';
import { type ExamplePaper, examplePaper, exampleWithDiagram } from '../example.ts';
import { type Html, html } from '../html.ts';
import { sampleOrigin as origin } from '../text.ts';

const languages = { curl: 'curl', javascript: 'JavaScript', python: 'Python' } as const;

/** The code of one request: for a POSIX shell, a module of Node and Python without packages. */
export type RequestSamples = Readonly<Record<keyof typeof languages, string>>;

/** Renders a request in each language. The page's script makes tabs of it. @param name unique on the page */
export function sampleTabs(name: string, samples: RequestSamples): Html {
  const tabs = Object.entries(languages).map(([language, title]) =>
    sample(language, title, samples[language as keyof typeof languages]),
  );
  return html`<div class="samples" data-samples="${name}">
${tabs}</div>
`;
}

/** Renders one sample. @param title the name of the language */
export function sample(language: string, title: string, code: string): Html {
  return html`<div class="sample" data-sample="${language}">
<p class="language">${title}</p>
<pre tabindex="0"><code>${code}</code></pre>
</div>
`;
}

/** Explains the origin in the samples where no script replaces it. */
export const originNote: Html = html`<noscript><p>The samples use <code>${origin}</code>. Replace it with the address of the service.</p></noscript>`;

/** Returns the samples of each endpoint, by operation id, for papers of the bank. */
export function endpointSamples(exams: readonly CompiledExam[]): Readonly<Record<string, RequestSamples>> {
  const { exam, yearPath, path } = examplePaper(exams);
  return {
    redirectToReference: redirectSamples,
    getExam: publicSamples(
      `/${exam}`,
      'const { label, years } = await response.json();\nconsole.log(label, years);',
      'exam = json.load(response)\nprint(exam["label"], exam["years"])',
    ),
    getYear: publicSamples(
      yearPath,
      `const { shifts } = await response.json();
for (const { shift, subjects, total } of shifts) console.log(shift, subjects, total);`,
      `year = json.load(response)
for shift in year["shifts"]:
    print(shift["shift"], shift["subjects"], shift["total"])`,
    ),
    getQuestions: questionSamples(path),
    getDiagram: diagramSamples(exampleWithDiagram(exams)),
  };
}

const curlHeader = '-H "Authorization: Bearer $API_KEY"';
const javascriptHeaders = `const headers = { Authorization: \`Bearer \${process.env.API_KEY}\` };`;
const javascriptCheck = `if (!response.ok) throw new Error(\`\${response.status}: \${await response.text()}\`);`;
const pythonHeaders = `headers = {"Authorization": f"Bearer {os.environ['API_KEY']}"}`;

const redirectSamples: RequestSamples = {
  curl: `curl -i ${origin}/`,
  javascript: `const response = await fetch('${origin}/', { redirect: 'manual' });
console.log(response.status, response.headers.get('Location'));`,
  python: `from urllib.request import urlopen

with urlopen("${origin}/") as response:
    print(response.status, response.url)`,
};

/** @param javascript what to do with the response @param python the same, its first line where the response is open */
function publicSamples(path: string, javascript: string, python: string): RequestSamples {
  return {
    curl: `curl ${origin}${path}`,
    javascript: `const response = await fetch('${origin}${path}');
${javascriptCheck}
${javascript}`,
    python: `import json
from urllib.request import urlopen

with urlopen("${origin}${path}") as response:
    ${python}`,
  };
}

/** @param path of a question file */
export function questionSamples(path: string): RequestSamples {
  return {
    curl: `curl ${curlHeader} \\
  ${origin}${path}`,
    javascript: `${javascriptHeaders}
const response = await fetch('${origin}${path}', { headers });
${javascriptCheck}
const { shift, subject, questions } = await response.json();
console.log(shift, subject);
for (const { id, type, topic } of questions) console.log(id, type, topic);`,
    python: `import json
import os
from urllib.request import Request, urlopen

${pythonHeaders}
request = Request("${origin}${path}", headers=headers)
with urlopen(request) as response:
    paper = json.load(response)
print(paper["shift"], paper["subject"])
for question in paper["questions"]:
    print(question["id"], question["type"], question["topic"])`,
  };
}

/** File names of diagrams are not public: the samples read one from the paper. */
function diagramSamples({ path, shiftPath }: ExamplePaper): RequestSamples {
  const folder = `${shiftPath}/diagrams`;
  return {
    curl: `FILE=$(curl -s ${curlHeader} \\
  ${origin}${path} |
  grep -o '"file":"[^"]*"' | head -n 1 | cut -d '"' -f 4)
curl -O ${curlHeader} \\
  "${origin}${folder}/$FILE"`,
    javascript: `import { writeFile } from 'node:fs/promises';

${javascriptHeaders}

async function get(path) {
  const response = await fetch('${origin}' + path, { headers });
  ${javascriptCheck}
  return response;
}

const { questions } = await (await get('${path}')).json();
const [{ file }] = questions.flatMap(({ diagrams }) => diagrams);
const image = await get(\`${folder}/\${file}\`);
await writeFile(file, Buffer.from(await image.arrayBuffer()));`,
    python: `import json
import os
from urllib.request import Request, urlopen

${pythonHeaders}


def get(path):
    with urlopen(Request("${origin}" + path, headers=headers)) as response:
        return response.read()


questions = json.loads(get("${path}"))["questions"]
file = next(diagram["file"] for question in questions for diagram in question["diagrams"])
with open(file, "wb") as image:
    image.write(get(f"${folder}/{file}"))`,
  };
}

/** The shifts of a year with openapi-fetch, and types that openapi-typescript generates. */
export function typedClientSample({ exam, year }: ExamplePaper): string {
  return `// npx openapi-typescript ${origin}/docs/openapi.json -o pastpaper.d.ts
import createClient from 'openapi-fetch';
import type { paths } from './pastpaper';

const client = createClient<paths>({ baseUrl: '${origin}' });
const { data, error } = await client.GET('/{exam}/{year}', {
  params: { path: { exam: '${exam}', year: ${year} } },
});
if (error) throw new Error(error.error);
for (const { shift, subjects, total } of data.shifts) console.log(shift, subjects, total);`;
}
