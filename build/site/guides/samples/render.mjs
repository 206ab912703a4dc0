import { readFile } from 'node:fs/promises';
import { textHtml } from './text.mjs';

const file = process.argv[2] ?? 'copy/EXAM/YEAR/SHIFT/SUBJECT.json';
const { questions, passages = [] } = JSON.parse(await readFile(file, 'utf8'));

function escaped(text) {
  return text.replace(/[&<"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

function questionHtml({ question, options, diagrams, passage: id }) {
  const passage = passages.find((each) => each.id === id);
  const ofOptions = options.flatMap(({ diagram }) => diagram ?? []);
  const all = [...diagrams, ...ofOptions, ...(passage?.diagrams ?? [])];
  const placed = new Set();
  const image = (name) => {
    placed.add(name);
    const { alt = '', width, height } = all.find((each) => each.file === name);
    return `<img src="diagrams/${name}" alt="${escaped(alt)}" width="${width}" height="${height}">`;
  };
  const parts = options.map(({ key, label = key, value, diagram }) => {
    const picture = diagram ? image(diagram.file) : '';
    return `<li>${escaped(label)} ${textHtml(value, image)}${picture}</li>`;
  });
  const shared = passage ? `<section>${textHtml(passage.text, image)}</section>` : '';
  const stem = textHtml(question, image);
  // Diagrams that no text places follow the question.
  const others = all.filter(({ file: name }) => !placed.has(name));
  const figures = others.map(({ file: name }) => `<figure>${image(name)}</figure>`);
  return `<li>${shared}${stem}${figures.join('')}<ul>${parts.join('')}</ul></li>`;
}

console.log(`<!doctype html>
<meta charset="utf-8">
<link rel="stylesheet" href="https://cdn.jsdelivr.net/npm/katex@0.17/dist/katex.min.css">
<ol>${questions.map(questionHtml).join('\n')}</ol>`);
