import { readFile } from 'node:fs/promises';
import { textHtml } from './text.mjs';

const file = process.argv[2] ?? 'copy/EXAM/YEAR/SHIFT/physics.json';
const { questions } = JSON.parse(await readFile(file, 'utf8'));

function questionHtml({ question, options, diagrams }) {
  const placed = new Set();
  const image = (name) => {
    placed.add(name);
    const { alt = '', width, height } = diagrams.find((each) => each.file === name);
    const text = alt.replace(/[&<"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
    return `<img src="diagrams/${name}" alt="${text}" width="${width}" height="${height}">`;
  };
  const parts = options.map(
    ({ key, value }) => `<li>${key} ${textHtml(value, image)}</li>`,
  );
  const stem = textHtml(question, image);
  // Diagrams that no text places follow the question.
  const others = diagrams.filter(({ file: name }) => !placed.has(name));
  const figures = others.map(({ file: name }) => `<figure>${image(name)}</figure>`);
  return `<li>${stem}${figures.join('')}<ul>${parts.join('')}</ul></li>`;
}

console.log(`<!doctype html>
<meta charset="utf-8">
<link rel="stylesheet" href="https://cdn.jsdelivr.net/npm/katex@0.17/dist/katex.min.css">
<ol>${questions.map(questionHtml).join('\n')}</ol>`);
