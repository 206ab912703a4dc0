import { sampleOrigin } from '../../sample-origin.ts';
import type { SampleLanguage } from './sample.ts';

const refuse = `if (!response.ok) throw new Error(\`\${response.status}: \${await response.text()}\`);`;
const headers = `const headers = { Authorization: \`Bearer \${process.env.API_KEY}\` };`;

/** For a module of Node. */
export const javascript: SampleLanguage = {
  id: 'javascript',
  name: 'JavaScript',
  write(request) {
    switch (request.kind) {
      case 'redirect':
        return `const response = await fetch('${sampleOrigin}${request.path}', { redirect: 'manual' });
console.log(response.status, response.headers.get('Location'));`;
      case 'exam':
        return `const response = await fetch('${sampleOrigin}${request.path}');
${refuse}
const { label, years } = await response.json();
console.log(label, years);`;
      case 'year':
        return `const response = await fetch('${sampleOrigin}${request.path}');
${refuse}
const { shifts } = await response.json();
for (const { shift, subjects, total } of shifts) console.log(shift, subjects, total);`;
      case 'questions':
        return `${headers}
const response = await fetch('${sampleOrigin}${request.path}', { headers });
${refuse}
const { shift, subject, questions } = await response.json();
console.log(shift, subject);
for (const { id, type, topic } of questions) console.log(id, type, topic);`;
      case 'diagram':
        return `import { writeFile } from 'node:fs/promises';

${headers}

async function get(path) {
  const response = await fetch('${sampleOrigin}' + path, { headers });
  ${refuse}
  return response;
}

const { questions } = await (await get('${request.questions}')).json();
const [{ file }] = questions.flatMap(({ diagrams }) => diagrams);
const image = await get(\`${request.folder}/\${file}\`);
await writeFile(file, Buffer.from(await image.arrayBuffer()));`;
    }
  },
};
