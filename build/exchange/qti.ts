/** Reads QTI 2.x and 3: items, tests and content packages. Writes packages of QTI 3. */
import katex from 'katex';
import { acceptedNumbers } from '../client/range.ts';
import bounds from '../content/bounds.json' with { type: 'json' };
import type { Marking } from '../release/resources.ts';
import { UserError } from '../release/user-error.ts';
import { Html, html } from '../site/html.ts';
import { decimalOf, type Item, lossesIf } from './item.ts';
import {
  type ExportedQuestion,
  optionHtml,
  packageOf,
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
  parseHtml,
  parseXml,
  resolvedPath,
  type Source,
  textIn,
} from './source.ts';
import vocabulary from './vocabulary.json' with { type: 'json' };

const manifestName = 'imsmanifest.xml';

/** Reads the items of a package, in the order of its manifest or test, or of files. */
export function* qtiItems(source: Source): Generator<Item> {
  const { paths } = source;
  const seen = new Set<string>();
  const files = paths.filter((path) => /\.xml$/i.test(path) || paths.length === 1);
  const isTest = (path: string) =>
    /<(?:\w+:)?(?:qti-)?assessment-?test[\s>]/i.test(
      Buffer.from(source.read(path)?.subarray(0, 4000) ?? []).toString('latin1'),
    );
  const first = paths.includes(manifestName) ? [manifestName] : testsFirst(files, isTest);
  for (const path of first) yield* itemsIn({ ...alone, path });

  function* itemsIn(reference: FileReference): Generator<Item> {
    const { path, depth } = reference;
    if (depth > bounds.importDepth)
      throw new UserError(`Files refer to others more than ${bounds.importDepth} deep.`);
    const bytes = seen.has(path) ? undefined : source.read(path);
    seen.add(path);
    if (!bytes) return;
    let root: Element;
    try {
      root = parseXml(decodedText(bytes));
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      yield {
        name: path,
        type: 'damaged XML',
        text: '',
        losses: [`damaged XML: ${error.message}`],
      };
      return;
    }
    if (root.name === 'assessmentitem') yield itemOf(root, reference, source);
    else yield* itemsBelow(root, reference);
  }

  /** The items that a test, section or manifest refers to, each with the sections around it. */
  function* itemsBelow(parent: Element, around: FileReference): Generator<Item> {
    const within = parent.name === 'assessmentsection' ? sectionOf(parent, around) : around;
    const isOfTest = ({ attributes: { type = '' } }: Element) => /test/.test(type);
    for (const child of testsFirst(childrenOf(parent), isOfTest)) {
      const { name, attributes } = child;
      const path = resolvedPath(around.path, attributes['href']);
      const next = { ...within, path, depth: around.depth + 1 };
      if (name === 'assessmentitemref') {
        const weight = Number(childrenOf(child, 'weight')[0]?.attributes['value'] ?? 1);
        yield* itemsIn({ ...next, weight: weight === 1 ? within.weight : weight });
      } else if (
        name === 'assessmentsectionref' ||
        (name === 'resource' && /item|test|section/.test(attributes['type'] ?? ''))
      )
        yield* itemsIn(next);
      else if (name !== 'resource') yield* itemsBelow(child, within);
    }
  }
}

/** Tests name the sections of their items, so that they are read before these. */
function testsFirst<One>(all: readonly One[], isTest: (one: One) => boolean): One[] {
  return [...all.filter(isTest), ...all.filter((one) => !isTest(one))];
}

interface FileReference {
  readonly path: string;
  /** The title of the section around the file. */
  readonly section: string;
  /** Texts of the sections around the file, which candidates see. */
  readonly passage: readonly Element[];
  /** The factor of its marks. */
  readonly weight: number | undefined;
  /** What the test has and a paper cannot have. */
  readonly losses: readonly string[];
  /** How many files lead to it. */
  readonly depth: number;
}

const alone = { section: '', passage: [], weight: undefined, losses: [], depth: 0 };

const testParts = /^(?:timelimits|outcomeprocessing|testfeedback|precondition|branchrule)$/;

function sectionOf(section: Element, around: FileReference): FileReference {
  const { title, visible } = section.attributes;
  const children = childrenOf(section);
  const rubrics = children.filter(({ name }) => name === 'rubricblock');
  const shown = rubrics.filter(isShown);
  const hasChild = (names: RegExp) => children.some(({ name }) => names.test(name));
  return {
    ...around,
    section: (visible === 'false' ? undefined : title) ?? around.section,
    passage: [...around.passage, ...shown],
    losses: [
      ...around.losses,
      ...lossesIf({
        'texts of sections for others than candidates': shown.length < rubrics.length,
        'selection and order of questions': hasChild(/^(?:selection|ordering)$/),
        'rules of tests': hasChild(testParts),
      }),
    ],
  };
}

/** Whether candidates see a rubric. */
function isShown({ attributes: { view = 'candidate' } }: Element): boolean {
  return view.split(/\s+/).includes('candidate');
}

/** HTML that some systems write as text, in CDATA or with entities. */
const writtenHtml =
  /<(p|div|span|b|i|u|em|strong|su[bp]|br|img|ul|ol|table|pre|code|h\d|font|a)\b[^<>]*\/?>/i;

function withHtml(nodes: readonly Node[], lose: (what: string) => void): Node[] {
  return nodes.flatMap((node): Node[] => {
    if (typeof node !== 'string') return [{ ...node, children: withHtml(node.children, lose) }];
    const [, tag = ''] = writtenHtml.exec(node) ?? [];
    const isHtml =
      /^(?:br|img)$/i.test(tag) || (tag !== '' && new RegExp(`</${tag}\\s*>`, 'i').test(node));
    if (!isHtml) return [node];
    lose('HTML written as text was read as HTML');
    return parseHtml(node);
  });
}

function itemOf(root: Element, reference: FileReference, source: Source): Item {
  const { path, section, passage, weight } = reference;
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
  const rubrics = elementsIn(body, /^rubricblock$/);
  const solutions = rubrics.filter((rubric) => !isShown(rubric));
  const mapped = mappingOf(declaration, processing);
  const losses = [
    ...reference.losses,
    ...lossesIf({
      feedback: elementsIn(root, /feedback/).length > 0,
      'shuffled options': interaction?.attributes['shuffle'] === 'true',
      'response processing': !isSimple,
      instructions: solutions.length < rubrics.length,
    }),
    ...mapped.losses,
  ];
  const correct = new Set(mapped.correct);
  const lose = (what: string) => losses.push(what);
  const marking = mapped.marking ?? (weight === undefined ? undefined : { correct: 1 });
  const times = (marks: number) => Number((marks * (weight ?? 1)).toFixed(4));
  return {
    name: root.attributes['title'] || path,
    type: isTemplate ? 'item template' : type.trim(),
    text: () =>
      withHtml(
        [
          ...passage.flatMap(({ children }) => [{ name: 'div', attributes: {}, children }]),
          ...stimuliOf(root, path, source),
          ...questionNodes(body?.children ?? [], interaction),
        ],
        lose,
      ),
    options: elementsIn(interaction, /^simplechoice$/).map(({ attributes, children }) => ({
      text: () => withHtml(children, lose),
      isCorrect: correct.has(attributes['identifier'] ?? ''),
    })),
    answers: Array.from(correct, (value) => ({ value, below: below ?? 0, above: above ?? 0 })),
    solution: () =>
      withHtml(
        solutions.flatMap(({ children }) => children),
        lose,
      ),
    marking:
      marking &&
      (Object.fromEntries(
        Object.entries(marking).map(([name, marks]) => [name, times(marks)]),
      ) as unknown as Marking),
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

/**
 * The values of the correct response, those that score most, and the marks of a mapping: what each value scores counts
 * only with `map_response`.
 */
function mappingOf(declaration: Element | undefined, processing: Element | undefined) {
  const values = elementsIn(childrenOf(declaration, 'correctresponse')[0], /^value$/).map((value) =>
    textIn(value).trim(),
  );
  const isMultiple = declaration?.attributes['cardinality'] === 'multiple';
  const [mapping] = childrenOf(declaration, 'mapping');
  const entries = elementsIn(mapping, /^mapentry$/).map(({ attributes }) => ({
    key: attributes['mapkey'] ?? '',
    score: Number(attributes['mappedvalue']),
    isCased: attributes['casesensitive'] === 'true',
  }));
  const most = entries.reduce((highest, { score }) => Math.max(highest, score), 0);
  const best = entries
    .filter(({ score }) => score > 0 && (isMultiple || score === most))
    .map(({ key }) => key);
  const isMapped = /map_response/.test(processing?.attributes['template'] ?? '');
  const correct = isMultiple && values.length > 0 ? values : [...new Set([...values, ...best])];
  const wrong = Number(mapping?.attributes['defaultvalue'] ?? 0);
  const isPartial = entries.some(({ key, score }) => !correct.includes(key) && score !== wrong);
  const right = entries.filter(({ key }) => correct.includes(key)).map(({ score }) => score);
  const isEven = right.every((score) => score === right[0]);
  const total = isMultiple ? right.reduce((sum, score) => sum + score, 0) : most;
  const isMarked = isMapped && total > 0;
  const marking: Marking | undefined =
    isMarked && (total !== 1 || wrong !== 0)
      ? {
          correct: total,
          ...(wrong < 0 && { incorrect: wrong }),
          ...(isMultiple && isEven && right.length > 1 && { partial: right[0] }),
        }
      : undefined;
  const losses = lossesIf({
    'partial marks': isPartial || !isEven,
    'upper and lower case':
      entries.some(({ isCased }) => isCased) && declaration?.attributes['basetype'] === 'string',
    'bounds of marks': Number(mapping?.attributes['lowerbound'] ?? 0) !== 0,
  });
  return { correct, marking, losses: isMapped ? losses : [] };
}

/** How far a number may be below and above the correct one. */
function tolerancesOf(processing: Element | undefined): number[] {
  const [equal] = elementsIn(processing, /^equal$/).map(({ attributes }) => attributes);
  return equal?.['tolerancemode'] === 'absolute'
    ? (equal[vocabulary.margin.qti] ?? '').trim().split(/\s+/).map(Number)
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

/** Fields that QTI items do not have. */
export const unknownToQti = ['number', 'section', 'topic', 'difficulty', 'lang'];

/** Writes questions as a package of items. @param read returns the bytes of a diagram */
export function qtiPackage(
  questions: readonly ExportedQuestion[],
  read: (file: string) => Uint8Array,
): Uint8Array {
  const items: Record<string, Html> = {};
  const all = new Set<string>();
  const resources = questions.map((question, index) => {
    const own = `items/item-${index + 1}.xml`;
    const item = new Html(
      itemXml(question).text.replace(/ style="text-align: (\w+)"/g, ' class="qti-align-$1"'),
    );
    items[own] = item;
    const images = item.text.matchAll(/"\.\.\/images\/([\w.-]+)"/g);
    const files = new Set(Array.from(images, ([, file = '']) => file));
    for (const file of files) all.add(file);
    const paths = [own, ...Array.from(files, (file) => `images/${file}`)];
    const parts = paths.map((path) => html`<file href="${path}"/>`);
    return html`<resource identifier="item-${index + 1}" type="imsqti_item_xmlv3p0" href="${own}">
${parts}</resource>\n`;
  });
  const manifest = html`<manifest xmlns="http://www.imsglobal.org/xsd/qti/qtiv3p0/imscp_v1p1" identifier="package">
<metadata><schema>QTI Package</schema><schemaversion>3.0.0</schemaversion></metadata>
<organizations/>
<resources>
${resources}</resources>
</manifest>`;
  return packageOf({ ...items, [manifestName]: manifest }, 'images', all, read);
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
  const { entries, margin, template } = scoringOf(question);
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
  margin !== undefined
    ? html`<qti-response-processing>
<qti-response-condition>
<qti-response-if>
<qti-equal ${vocabulary.margin.qti}-mode="absolute" ${vocabulary.margin.qti}="${margin}">
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

/** How a response is scored: by a standard template, or by a condition if numbers have a margin. */
function scoringOf(question: ExportedQuestion) {
  const { type, answer, accepted = [answer], marking, losses } = question;
  const { correct, incorrect = 0, unanswered = 0, partial } = marking;
  if (correct !== 1 || incorrect !== 0 || unanswered !== 0 || partial !== undefined)
    losses.add('marks');
  const [{ below, above } = { below: 0, above: 0 }] =
    type === 'numerical' ? acceptedNumbers(question) : [];
  const margin = below + above === 0 ? undefined : [below, above].map(decimalOf).join(' ');
  const hasMapping =
    margin === undefined && type !== 'msq' && (type === 'text' || accepted.length > 1);
  if (accepted.length > 1 && !hasMapping) losses.add('accepted');
  const entries = accepted.map(
    (one) => html`<qti-map-entry map-key="${one}" mapped-value="1" case-sensitive="false"/>\n`,
  );
  return {
    entries: hasMapping && entries,
    margin,
    template: hasMapping ? 'map_response' : 'match_correct',
  };
}
