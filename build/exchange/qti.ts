/** Reads QTI 2.x and 3: items, tests and content packages. Writes packages of QTI 3. */
import { zipSync } from 'fflate';
import katex from 'katex';
import { UserError } from '../release/user-error.ts';
import { Html, html } from '../site/html.ts';
import { decimalOf, type Item } from './item.ts';
import {
  type ExportedQuestion,
  optionHtml,
  questionHtml,
  type Renderer,
  rendered,
} from './render.ts';
import {
  childrenOf,
  decodedText,
  type Element,
  elementsIn,
  type Node,
  parseXml,
  resolvedPath,
  type Source,
  textIn,
} from './source.ts';

const manifestName = 'imsmanifest.xml';

/** Reads the items of a package, in the order of its test or manifest, or of files. */
export function* qtiItems(source: Source): Generator<Item> {
  const { paths } = source;
  const seen = new Set<string>();
  const files = paths.filter((path) => /\.xml$/i.test(path) || paths.length === 1);
  const first = paths.includes(manifestName) ? [manifestName] : files;
  // Files refer to others in a chain of any length, which would be too deep for a recursive function.
  const waiting: FileReference[] = first.map((path) => ({ path, section: '' })).toReversed();
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const bytes = seen.has(next.path) ? undefined : source.read(next.path);
    seen.add(next.path);
    if (!bytes) continue;
    const references = yield* itemsIn(next, bytes, source);
    for (const reference of references.toReversed()) waiting.push(reference);
  }
}

interface FileReference {
  readonly path: string;
  /** The title of the section around the file. */
  readonly section: string;
}

/** @returns the files that a file refers to */
function* itemsIn(
  { path, section }: FileReference,
  bytes: Uint8Array,
  source: Source,
): Generator<Item, FileReference[]> {
  let root: Element | undefined;
  try {
    root = parseXml(decodedText(bytes));
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    yield { name: path, type: 'damaged XML', text: '', losses: [`damaged XML: ${error.message}`] };
  }
  if (root?.name === 'assessmentitem') yield itemOf(root, path, section, source);
  let title = section;
  const references: FileReference[] = [];
  for (const { name, attributes } of elementsIn(
    root,
    /^(?:assessmentsection|assessmentitemref|resource)$/,
  )) {
    if (name === 'assessmentsection') title = attributes['title'] ?? title;
    if (name === 'assessmentitemref' || /item|test/.test(attributes['type'] ?? ''))
      references.push({ path: resolvedPath(path, attributes['href']), section: title });
  }
  return references;
}

function itemOf(root: Element, path: string, section: string, source: Source): Item {
  const [body] = childrenOf(root, 'itembody');
  const interactions = elementsIn(body, /interaction$/);
  const [interaction] = interactions;
  const { responseidentifier: response = '' } = interaction?.attributes ?? {};
  const declaration = childrenOf(root, 'responsedeclaration').find(
    ({ attributes }) => attributes['identifier'] === response,
  );
  const { cardinality = '', basetype = '' } = declaration?.attributes ?? {};
  const isChoice = interaction?.name === 'choiceinteraction';
  const single = `${interaction?.name ?? 'no interaction'} ${isChoice ? cardinality : basetype}`;
  const [processing] = childrenOf(root, 'responseprocessing');
  const [below, above = below] = tolerancesOf(processing);
  const usual = cardinality === 'multiple' ? /match/ : /match|map_response/;
  const isSimple =
    below !== undefined ||
    usual.test(processing ? (processing.attributes['template'] ?? '') : 'match');
  const isTemplate = childrenOf(root, 'templatedeclaration').length > 0;
  const type = interactions.length > 1 ? 'several interactions' : single;
  const losses = [
    ...(elementsIn(root, /feedback/).length > 0 ? ['feedback'] : []),
    ...(interaction?.attributes['shuffle'] === 'true' ? ['shuffled options'] : []),
    ...(isSimple ? [] : ['response processing']),
  ];
  const rubrics = elementsIn(body, /^rubricblock$/);
  const solutions = rubrics.filter(({ attributes }) => !attributes['view']?.includes('candidate'));
  if (solutions.length < rubrics.length) losses.push('instructions');
  const correct = new Set(correctValues(declaration));
  return {
    name: root.attributes['title'] || path,
    type: isTemplate ? 'item template' : type.trim(),
    text: () => [
      ...stimuliOf(root, path, source),
      ...questionNodes(body?.children ?? [], interaction),
    ],
    options: elementsIn(interaction, /^simplechoice$/).map(({ attributes, children }) => ({
      text: () => children,
      isCorrect: correct.has(attributes['identifier'] ?? ''),
    })),
    answers: Array.from(correct, (value) => ({ value, below: below ?? 0, above: above ?? 0 })),
    solution: () => solutions.flatMap(({ children }) => children),
    fields: { section },
    image: (reference) => source.read(resolvedPath(path, reference)),
    losses,
  };
}

/** The shared texts that an item refers to. */
function stimuliOf(root: Element, path: string, source: Source): Node[] {
  return childrenOf(root, 'assessmentstimulusref').flatMap(({ attributes }) => {
    const bytes = source.read(resolvedPath(path, attributes['href']));
    return bytes ? elementsIn(parseXml(decodedText(bytes)), /^stimulusbody$/) : [];
  });
}

/** The body without what is answered: options leave their prompt, a field leaves a blank if it is among words. */
function questionNodes(nodes: readonly Node[], interaction: Element | undefined): Node[] {
  return nodes.flatMap((node): Node[] => {
    if (typeof node === 'string') return [node];
    if (node === interaction)
      return node.name === 'choiceinteraction' ? childrenOf(node, 'prompt') : ['____'];
    const isField =
      node.children.some((child) => child === interaction) &&
      interaction?.name === 'textentryinteraction';
    if (
      node.name === 'rubricblock' ||
      (isField && childrenOf(node).length === 1 && textIn(node).trim() === '')
    )
      return [];
    return [{ ...node, children: questionNodes(node.children, interaction) }];
  });
}

/** The values of the correct response, and those that score most. */
function correctValues(declaration: Element | undefined): string[] {
  const values = elementsIn(childrenOf(declaration, 'correctresponse')[0], /^value$/).map((value) =>
    textIn(value).trim(),
  );
  const isMultiple = declaration?.attributes['cardinality'] === 'multiple';
  const entries = elementsIn(declaration, /^mapentry$/).map(
    ({ attributes: { mapkey = '', mappedvalue } }) => [mapkey, Number(mappedvalue)] as const,
  );
  const most = entries.reduce((highest, [, score]) => Math.max(highest, score), 0);
  const best = entries
    .filter(([, score]) => score > 0 && (isMultiple || score === most))
    .map(([key]) => key);
  return isMultiple && values.length > 0 ? values : [...new Set([...values, ...best])];
}

/** How far a number may be below and above the correct one. */
function tolerancesOf(processing: Element | undefined): number[] {
  const [equal] = elementsIn(processing, /^equal$/).map(({ attributes }) => attributes);
  return equal?.['tolerancemode'] === 'absolute'
    ? (equal['tolerance'] ?? '').trim().split(/\s+/).map(Number)
    : [];
}

/** MathML, which browsers and players show, with TeX as an annotation. */
const renderer: Renderer = {
  formula: (tex, displayMode) => {
    const settings = {
      displayMode,
      output: 'mathml',
      throwOnError: false,
      strict: 'ignore',
      trust: false,
    } as const;
    return new Html(katex.renderToString(tex, settings).replace(/^<span[^>]*>|<\/span>$/g, ''));
  },
  address: (file) => `../images/${file}`,
};

/** The earliest time that a zip archive can have, so that the same paper becomes the same file. */
const mtime = new Date(1980, 0, 2);

/** Fields that QTI items do not have. */
export const unknownToQti = ['number', 'section', 'topic', 'difficulty', 'lang'];

/** Writes questions as a package of items. @param read returns the bytes of a diagram */
export function qtiPackage(
  questions: readonly ExportedQuestion[],
  read: (file: string) => Uint8Array,
): Uint8Array {
  const files: Record<string, Uint8Array> = {};
  const add = (path: string, { text }: Html) => {
    files[path] = Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>\n${text}\n`);
  };
  const resources = questions.map((question, index) => {
    const item = new Html(
      itemXml(question).text.replace(/ style="text-align: (\w+)"/g, ' class="qti-align-$1"'),
    );
    const own = `items/item-${index + 1}.xml`;
    add(own, item);
    const images = Array.from(
      item.text.matchAll(/"\.\.\/(images\/[\w.-]+)"/g),
      ([, path = '']) => path,
    );
    for (const path of images) files[path] = read(path.slice('images/'.length));
    const parts = [own, ...new Set(images)].map((path) => html`<file href="${path}"/>`);
    return html`<resource identifier="item-${index + 1}" type="imsqti_item_xmlv3p0" href="${own}">
${parts}</resource>\n`;
  });
  const manifest = html`<manifest xmlns="http://www.imsglobal.org/xsd/qti/qtiv3p0/imscp_v1p1" identifier="package">
<metadata><schema>QTI Package</schema><schemaversion>3.0.0</schemaversion></metadata>
<organizations/>
<resources>
${resources}</resources>
</manifest>`;
  add('imsmanifest.xml', manifest);
  return zipSync(files, { mtime });
}

const baseTypes = {
  mcq: 'identifier',
  msq: 'identifier',
  numerical: 'float',
  text: 'string',
} as const;

function itemXml(question: ExportedQuestion): Html {
  const { id, type, answer, options, diagrams = [], solution } = question;
  const isMultiple = type === 'msq';
  const values = isMultiple ? answer.split(',') : [answer];
  const choices = options.map(
    (option) =>
      html`<qti-simple-choice identifier="${option.key}">
${optionHtml(option, diagrams, renderer)}</qti-simple-choice>\n`,
  );
  const { entries, tolerance, template } = scoringOf(question);
  const rubric =
    solution !== undefined &&
    html`<qti-content-body><div>${rendered(solution, diagrams, renderer)}</div></qti-content-body>`;
  return html`<qti-assessment-item xmlns="http://www.imsglobal.org/xsd/imsqtiasi_v3p0" identifier="q-${id}" title="${id}"
adaptive="false" time-dependent="false">
<qti-response-declaration identifier="RESPONSE" cardinality="${isMultiple ? 'multiple' : 'single'}" base-type="${baseTypes[type]}">
<qti-correct-response>${values.map((value) => html`<qti-value>${value}</qti-value>`)}</qti-correct-response>
${
  entries &&
  html`<qti-mapping default-value="0">
${entries}</qti-mapping>`
}
</qti-response-declaration>
<qti-outcome-declaration identifier="SCORE" cardinality="single" base-type="float"/>
<qti-item-body>
${questionHtml(question, renderer)}
${
  isMultiple || type === 'mcq'
    ? html`<qti-choice-interaction response-identifier="RESPONSE" max-choices="${isMultiple ? 0 : 1}">
${choices}</qti-choice-interaction>`
    : html`<p><qti-text-entry-interaction response-identifier="RESPONSE"/></p>`
}
${rubric && html`<qti-rubric-block use="scoring" view="scorer tutor">${rubric}</qti-rubric-block>`}
</qti-item-body>
${
  tolerance !== undefined
    ? html`<qti-response-processing>
<qti-response-condition>
<qti-response-if>
<qti-equal tolerance-mode="absolute" tolerance="${tolerance}">
<qti-variable identifier="RESPONSE"/><qti-correct identifier="RESPONSE"/>
</qti-equal>
<qti-set-outcome-value identifier="SCORE"><qti-base-value base-type="float">1</qti-base-value></qti-set-outcome-value>
</qti-response-if>
</qti-response-condition>
</qti-response-processing>`
    : html`<qti-response-processing template="https://purl.imsglobal.org/spec/qti/v3p0/rptemplates/${template}.xml"/>`
}
</qti-assessment-item>`;
}

/** How a response is scored: by a standard template, or by a condition if numbers have a tolerance. */
function scoringOf(question: ExportedQuestion) {
  const { type, answer, accepted = [answer], tolerance, answerRange, marking, losses } = question;
  const { correct, incorrect = 0, unanswered = 0, partial } = marking;
  if (correct !== 1 || incorrect !== 0 || unanswered !== 0 || partial !== undefined)
    losses.add('marks');
  const { min = answer, max = answer } = answerRange ?? {};
  const range = [Number(answer) - Number(min), Number(max) - Number(answer)]
    .map(decimalOf)
    .join(' ');
  const most = answerRange ? range : tolerance;
  const hasMapping =
    most === undefined && type !== 'msq' && (type === 'text' || accepted.length > 1);
  if (accepted.length > 1 && !hasMapping) losses.add('accepted');
  const entries = accepted.map(
    (one) => html`<qti-map-entry map-key="${one}" mapped-value="1" case-sensitive="false"/>\n`,
  );
  return {
    entries: hasMapping && entries,
    tolerance: most,
    template: hasMapping ? 'map_response' : 'match_correct',
  };
}
