/** Code samples of requests. Those that need a key read it from the environment variable `API_KEY`. */
import type { ExamplePaper } from '../example.ts';
import type { CodeSample } from './openapi.ts';

/** The code of one request: for a POSIX shell, a module of Node and Python without packages. */
function requestSamples(curl: string, javascript: string, python: string): readonly CodeSample[] {
  return [
    { lang: 'Shell', label: 'curl', source: curl },
    { lang: 'JavaScript', label: 'JavaScript', source: javascript },
    { lang: 'Python', label: 'Python', source: python },
  ];
}

const curlHeader = '-H "Authorization: Bearer $API_KEY"';
const javascriptHeaders = `const headers = { Authorization: \`Bearer \${process.env.API_KEY}\` };`;
const javascriptCheck = `if (!response.ok) throw new Error(\`\${response.status}: \${await response.text()}\`);`;
const pythonHeaders = `headers = {"Authorization": f"Bearer {os.environ['API_KEY']}"}`;

export function redirectSamples({ origin }: ExamplePaper): readonly CodeSample[] {
  return requestSamples(
    `curl -i ${origin}/`,
    `const response = await fetch('${origin}/', { redirect: 'manual' });
console.log(response.status, response.headers.get('Location'));`,
    `from urllib.request import urlopen

with urlopen("${origin}/") as response:
    print(response.status, response.url)`,
  );
}

export function examSamples({ origin, exam }: ExamplePaper): readonly CodeSample[] {
  return publicSamples(
    `${origin}/${exam}`,
    'const { label, years } = await response.json();\nconsole.log(label, years);',
    'exam = json.load(response)\nprint(exam["label"], exam["years"])',
  );
}

export function yearSamples({ origin, yearPath }: ExamplePaper): readonly CodeSample[] {
  return publicSamples(
    `${origin}${yearPath}`,
    `const { shifts } = await response.json();
for (const { shift, subjects, total } of shifts) console.log(shift, subjects, total);`,
    `year = json.load(response)
for shift in year["shifts"]:
    print(shift["shift"], shift["subjects"], shift["total"])`,
  );
}

/** @param javascript what to do with the response @param python the same, its first line where the response is open */
function publicSamples(url: string, javascript: string, python: string): readonly CodeSample[] {
  return requestSamples(
    `curl ${url}`,
    `const response = await fetch('${url}');
${javascriptCheck}
${javascript}`,
    `import json
from urllib.request import urlopen

with urlopen("${url}") as response:
    ${python}`,
  );
}

export function questionSamples({ origin, path }: ExamplePaper): readonly CodeSample[] {
  return requestSamples(
    `curl ${curlHeader} \\
  ${origin}${path}`,
    `${javascriptHeaders}
const response = await fetch('${origin}${path}', { headers });
${javascriptCheck}
const { shift, subject, questions } = await response.json();
console.log(shift, subject);
for (const { id, type, topic } of questions) console.log(id, type, topic);`,
    `import json
import os
from urllib.request import Request, urlopen

${pythonHeaders}
request = Request("${origin}${path}", headers=headers)
with urlopen(request) as response:
    paper = json.load(response)
print(paper["shift"], paper["subject"])
for question in paper["questions"]:
    print(question["id"], question["type"], question["topic"])`,
  );
}

/** File names of diagrams are not public: the samples read one from the paper. */
export function diagramSamples({ origin, path, shiftPath }: ExamplePaper): readonly CodeSample[] {
  const folder = `${shiftPath}/diagrams`;
  return requestSamples(
    `FILE=$(curl -s ${curlHeader} \\
  ${origin}${path} |
  grep -o '"file":"[^"]*"' | head -n 1 | cut -d '"' -f 4)
curl -O ${curlHeader} \\
  "${origin}${folder}/$FILE"`,
    `import { writeFile } from 'node:fs/promises';

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
    `import json
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
  );
}

/** The shifts of a year with openapi-fetch, and types that openapi-typescript generates. */
export function typedClientSample({ origin, exam, year }: ExamplePaper): string {
  return `// npx openapi-typescript ${origin}/docs/openapi.json -o api.d.ts
import createClient from 'openapi-fetch';
import type { paths } from './api';

const client = createClient<paths>({ baseUrl: '${origin}' });
const { data, error } = await client.GET('/{exam}/{year}', {
  params: { path: { exam: '${exam}', year: ${year} } },
});
if (error) throw new Error(error.error);
for (const { shift, subjects, total } of data.shifts) console.log(shift, subjects, total);`;
}
